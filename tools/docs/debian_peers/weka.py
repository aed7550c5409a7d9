"""Weka, by Debian's package `weka`: its lines on the page, and figures that are the same."""

import re
import subprocess
from collections.abc import Iterator
from pathlib import Path

import satsuma
from tools.docs.debian_peers.same import TABLES, Same, numbers
from tools.docs.peers import PAGES, snippets

JAR = "/usr/share/java/weka.jar"

#: Not in Weka 3.6, which Debian has.
NEWER = {"bayes.NaiveBayesMultinomialText"}

_BAYES, _CUTS = "weka.classifiers.bayes.NaiveBayes", "attribute.Discretize"
_RANKER = "-s weka.attributeSelection.Ranker"

#: What is run for what stands on the page for short.
CALLS = {
    "ArffLoader": "weka.core.converters.ArffLoader iris.arff",
    "data.setClassIndex(data.numAttributes() - 1)": f"{_BAYES} -c last -t iris.arff -no-cv",
    "ArffSaver": "weka.core.converters.ArffSaver -i iris.arff",
    "supervised.attribute.Discretize": f"weka.filters.supervised.{_CUTS} -c last -i iris.arff",
    "-F": f"weka.filters.unsupervised.{_CUTS} -F -B 5 -i iris.arff",
    "Ranker": f"weka.attributeSelection.GainRatioAttributeEval {_RANKER} -i iris.arff",
    "weka.classifiers.Evaluation": f"{_BAYES} -t iris.arff -no-cv",
    "crossValidateModel(10 folds)": f"{_BAYES} -t iris.arff -x 10",
    "-p": f"{_BAYES} -t iris.arff -T iris.arff -p 0",
    "weka.core.SerializationHelper": "weka.core.SerializationHelper weka.classifiers.trees.J48",
}

#: Classes that ask for other rows than those of iris.
ROWS = {
    "trees.Id3": "tennis", "trees.M5P": "housing", "functions.LinearRegression": "housing",
    "functions.GaussianProcesses": "housing", "meta.ThresholdSelector": "voting",
}  # fmt: skip


def run(words: str, folder: Path) -> tuple[str, str]:
    """What a class of Weka prints, and what it complains of; it ends well either way."""
    call = ["java", "-Xmx500m", "-cp", JAR, *words.split()]
    done = subprocess.run(call, cwd=folder, capture_output=True, text=True, check=False)  # noqa: S603
    return done.stdout, done.stderr


def call_of(shown: str) -> str:
    """From what stands on the page to what is run."""
    if shown in CALLS:
        return CALLS[shown]
    name, _, options = shown.partition(" ")
    rows = f"{ROWS.get(name, 'iris')}.arff"
    if name.startswith("attributeSelection."):
        return f"weka.{name} {_RANKER} -i {rows} {options}"
    if name.startswith("unsupervised."):
        return f"weka.filters.{name} -i {rows} {options}"
    if name.startswith("clusterers."):
        return f"weka.{name} -c last -t {rows} {options}"
    return f"weka.classifiers.{name} -t {rows} -no-cv {options}"


def lines() -> list[tuple[int, str]]:
    """What the page says that Weka does, with its line."""
    return snippets((PAGES / "weka.md").read_text("utf-8"), "in Weka")


def failures(folder: Path) -> Iterator[str]:
    """Lines of the page that Weka does not do."""
    for line, shown in lines():
        if shown not in NEWER:
            printed, complaint = run(call_of(shown), folder)
            if "Exception" in complaint or "Error" in complaint or not printed + complaint:
                yield f"weka.md, line {line}: `{shown}`: {complaint.strip()[:200]}"


def figures(folder: Path) -> Iterator[Same]:
    """What the page says is the same as ours, and what it says is not."""
    yield from _trees(folder)
    yield from _columns(folder)
    iris, two = TABLES["iris"], TABLES["two"]

    printed, _ = run("weka.classifiers.functions.Logistic -R 100 -no-cv -t two.arff", folder)
    table = printed.partition("=\n")[2].partition("\n\n")[0]
    theirs = [numbers(line)[-1] for line in table.splitlines()]
    X, y = two.to_numpy()[:, :4].astype(float), two["Species"]
    # Weka's spreads are over n - 1, and its log-odds are those of the first class.
    model = satsuma.Logistic(l2=200 * len(two) / (len(two) - 1)).fit(X, y)
    ours = [-each for each in (*model.coef_[0], *model.intercept_)]
    yield Same("Logistic -R 100, two classes: coefficients", theirs, ours, 1e-4)

    printed, _ = run("weka.classifiers.rules.OneR -no-cv -t iris.arff", folder)
    rule = printed.partition("Petal.Width:")[2].partition("(")[0]
    cut = sorted(set(numbers(rule)))
    yield Same("OneR: where Petal.Width is cut", cut, satsuma.OneR()(iris).cuts, 1e-9)

    printed = [
        run(f"weka.clusterers.SimpleKMeans -c last -N 3 -S {n} -t iris.arff", folder)[0]
        for n in range(1, 6)
    ]
    best = min(numbers(text.partition("squared errors:")[2])[0] for text in printed)
    ours = satsuma.KMeans(k=3)(iris).inertia
    yield Same("SimpleKMeans -N 3, the best of five: squared errors", best, ours, 1e-5)


def _trees(folder: Path) -> Iterator[Same]:
    """Id3."""
    printed, _ = run("weka.classifiers.trees.Id3 -no-cv -t tennis.arff", folder)
    theirs = printed.partition("Id3\n")[2].strip().partition("\n\n")[0]
    _, _, ours = str(satsuma.ID3()(TABLES["tennis"])).partition("\n")
    yield Same("Id3: the tree of tennis", theirs, re.sub(r" \(\d+\)", "", ours))
    _, complaint = run("weka.classifiers.trees.Id3 -no-cv -t voting.arff", folder)
    yield Same(
        "Id3: missing values are refused", "Cannot handle missing values" in complaint, ours=1
    )


def _columns(folder: Path) -> Iterator[Same]:
    """Cuts of numbers, and how much attributes tell."""
    iris, tennis = TABLES["iris"], TABLES["tennis"]
    for name, how in (
        ("weka.filters.supervised.attribute.Discretize -c last", satsuma.MDL()),
        ("weka.filters.unsupervised.attribute.Discretize -B 5", satsuma.EqualWidth(n=5)),
    ):
        printed, _ = run(f"{name} -i iris.arff", folder)
        theirs = [float(cut) for cut in re.findall(r"-([\d.]+)\]", printed.partition("@data")[0])]
        ours = [cut for cuts in how(iris).cuts.values() for cut in cuts]
        yield Same(f"{name}: cuts of iris", theirs, ours, 1e-9)
    call = f"weka.attributeSelection.InfoGainAttributeEval {_RANKER} -i tennis.arff"
    ranked = re.findall(r"^ *([\d.]+) +\d+ (\S+)$", run(call, folder)[0], re.MULTILINE)
    ours = satsuma.score_attributes(tennis, "information_gain")
    yield Same(
        "InfoGainAttributeEval: the order", " ".join(name for _, name in ranked), " ".join(ours)
    )
    theirs = [float(gain) for gain, _ in ranked]
    yield Same("InfoGainAttributeEval: gains of tennis", theirs, list(ours.values()), 5.1e-5)
