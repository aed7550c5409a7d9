// The search is a dialogue, and the theme leaves it without a name.
document.querySelector(".md-search")?.setAttribute("aria-label", "Search");
