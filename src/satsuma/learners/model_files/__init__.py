"""Models in files: arrays and JSON in a zip, checked before anything of them is used."""
