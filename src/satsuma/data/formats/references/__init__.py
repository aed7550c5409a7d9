"""References: records of literature in RIS, PubMed's .nbib and BibTeX, a row for each."""
