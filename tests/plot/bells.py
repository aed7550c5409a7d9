"""A block of a user's own: Gaussians of two columns together, by scipy."""

from dataclasses import dataclass

import numpy as np
from scipy import stats

from satsuma.likelihoods.block import Evidence


class Bell(Evidence):
    def __init__(self, names, means, spreads):
        self.names, self.means, self.spreads = names, means, spreads

    def log_evidence(self, batch):
        """What is missing is left out, so that it says nothing."""
        shown = np.column_stack([batch.column(name) for name in self.names])
        found = np.zeros((len(batch), len(self.means)))
        known = ~np.isnan(shown)
        for row in np.flatnonzero(known.any(axis=1)):
            which = np.flatnonzero(known[row])
            for code, (mean, spread) in enumerate(zip(self.means, self.spreads, strict=True)):
                bell = stats.multivariate_normal(mean[which], spread[np.ix_(which, which)])
                found[row, code] = bell.logpdf(shown[row, which])
        return found

    def lines(self, variable, classes):
        return [(variable.name, ["?"] * classes)]


@dataclass(kw_only=True, frozen=True)
class Bells:
    """All classes have one covariance, as in linear discriminants; or each has its own."""

    shared: bool = True
    kinds = ("num",)
    columns = None

    def learn(self, table):
        names = [v.name for v in table.domain if v.kind == "num"]
        numbers, codes = table.to_numpy(names), table.column(table.domain.target.name)
        groups = [numbers[codes == code] for code in range(codes.max() + 1)]
        own = [np.cov(group.T) for group in groups]
        spreads = [np.mean(own, axis=0)] * len(own) if self.shared else own
        return Bell(tuple(names), [group.mean(axis=0) for group in groups], spreads)
