"""A tree by its definition: every division of every node, tried one by one in plain Python."""

from itertools import pairwise
from math import log2

TIE = 1e-10


class Definition:
    """What a tree is, for rows given as (cells, target, weight); None is missing."""

    def __init__(self, *, measure, min_leaf, max_depth, kinds, values, classes):
        self.measure, self.min_leaf, self.max_depth = measure, min_leaf, max_depth
        self.kinds, self.values, self.classes = kinds, values, classes
        self.parts = set()  # of which rows there are only parts left

    def grow(self, rows, depth=0):
        """Nested: ("leaf", what the rows come to), or (column, threshold, branches by label)."""
        told = self.total(rows)
        if self.pure(rows) or depth >= self.max_depth:
            return ("leaf", told)
        best = self.best(rows)
        if best is None:
            return ("leaf", told)
        column, threshold, labels = best
        parts = {label: [] for label in labels}
        for row in rows:
            if row[0][column] is not None:
                parts[self.label(row[0][column], threshold)].append(row)
        weight = {label: sum(r[2] for r in part) for label, part in parts.items()}
        self.send_unknown(rows, column, parts, weight)
        below = {label: self.grow(part, depth + 1) for label, part in parts.items()}
        return (column, threshold, below)

    def send_unknown(self, rows, column, parts, weight):
        """Rows whose cell is missing, in sixteenths; what is a part already goes where most go."""
        labels, known = list(parts), sum(weight.values())
        most = labels[0]
        for label in labels:
            most = label if weight[label] > weight[most] + TIE else most
        divided, sixteenths, share = set(), [0], 0.0
        for label in labels:
            share += weight[label] / known
            sixteenths.append(16 if label == labels[-1] else round(16 * share))
        for cells, target, w in rows:
            if cells[column] is None and id(cells) in self.parts:
                parts[most].append((cells, target, w))
            elif cells[column] is None:
                for label, (before, up_to) in zip(labels, pairwise(sixteenths), strict=True):
                    if up_to - before < 16:
                        divided.add(id(cells))
                    if up_to > before:
                        parts[label].append((cells, target, w * (up_to - before) / 16))
        self.parts |= divided

    @staticmethod
    def label(cell, threshold):
        return cell if threshold is None else cell > threshold

    def pure(self, rows):
        return len({target for _, target, _ in rows}) < 2

    def total(self, rows):
        if self.classes:
            return [sum(w for _, t, w in rows if t == c) for c in self.classes]
        weight = sum(w for _, _, w in rows)
        return [weight, sum(w * t for _, t, w in rows) / weight]

    def disorder(self, rows):
        n = sum(w for _, _, w in rows)
        if n <= 0:
            return 0.0
        if not self.classes:
            mean = sum(w * t for _, t, w in rows) / n
            return sum(w * (t - mean) ** 2 for _, t, w in rows)
        counts = [c for c in self.total(rows) if c > 0]
        if self.measure == "gini":
            return n - sum(c * c for c in counts) / n
        return -sum(c * log2(c / n) for c in counts)

    def best(self, rows):
        n = sum(w for _, _, w in rows)
        scale = n if self.classes else self.disorder(rows)
        found = []
        for column, kind in enumerate(self.kinds):
            ways = self.thresholds(rows, column) if kind == "num" else [None]
            tried = [self.tried(rows, column, way) for way in ways]
            tried = [each for each in tried if each is not None]
            if tried:
                found.append(self.first(tried, scale))
        if not found:
            return None
        scores = [gain for gain, *_ in found]
        if "ratio" in self.measure and self.classes:
            plain = self.measure == "plain gain ratio"
            average = float("-inf") if plain else sum(scores) / len(scores)
            scores = [
                gain / information if gain >= average - TIE * scale else float("-inf")
                for gain, information, *_ in found
            ]
            scale = 1.0
        top = max(scores)
        return next(e[2] for s, e in zip(scores, found, strict=True) if s >= top - TIE * scale)

    def first(self, tried, scale):
        """The best way to divide by a column: the first of those that tie."""
        worth = [gain for gain, *_ in tried]
        if self.measure == "plain gain ratio" and self.classes and len(tried) > 1:
            # Over the rows that are known: all ways to divide by a column miss the same ones.
            worth = [gain / known for gain, _, _, known in tried]
            scale = 1.0
        top = max(worth)
        return next(e for w, e in zip(worth, tried, strict=True) if w >= top - TIE * scale)

    @staticmethod
    def thresholds(rows, column):
        known = sorted({cells[column] for cells, _, _ in rows if cells[column] is not None})
        return [(a + b) / 2 for a, b in pairwise(known)]

    def tried(self, rows, column, threshold):
        known = [row for row in rows if row[0][column] is not None]
        order = [False, True] if threshold is not None else self.values[column]
        parts = [[r for r in known if self.label(r[0][column], threshold) == v] for v in order]
        pairs = [(v, part) for v, part in zip(order, parts, strict=True) if part]
        weights = [sum(w for _, _, w in part) for _, part in pairs]
        if sum(w >= self.min_leaf - 1e-9 for w in weights) < 2:
            return None
        if sum(weights) < self.min_leaf * len(weights) - 1e-9:
            return None
        gain = self.disorder(known) - sum(self.disorder(part) for _, part in pairs)
        n = sum(w for _, _, w in rows)
        if not self.classes and len(pairs) > 2:
            if sum(weights) <= len(pairs):
                return None
            # As in the adjusted R², a value takes a degree of freedom.
            left = self.disorder(rows) * sum(weights) / n - gain
            gain += left - left * (sum(weights) - 2) / (sum(weights) - len(pairs))
        lost = n - sum(weights)
        information = -sum(w * log2(w / n) for w in [*weights, lost] if w > 1e-12)
        told = -sum(w * log2(w / sum(weights)) for w in weights)
        return gain, information, (column, threshold, [v for v, _ in pairs]), told
