"""The pages for people who come from Weka and mlr3, held against packages of Debian."""
