"""Metadata requests: scikit-learn's routing asks learners whether they want `sample_weight`."""

from typing import Any, Self, cast

#: What an argument of a request is that was not given.
_UNCHANGED = "$UNCHANGED$"

#: The verbs that take weights, if a learner has them.
_VERBS = ("fit", "partial_fit", "score")


class MetadataRequests:
    """What scikit-learn asks where metadata routing is on; see `sklearn.set_config` there."""

    def get_metadata_routing(self) -> Any:
        """Which verbs take `sample_weight`, and whether it is to be handed to them."""
        from sklearn.utils import metadata_routing

        routing: Any = metadata_routing
        held = vars(self).get("_metadata_request")
        if held is not None:
            return routing.get_routing_for_object(held)
        made = routing.MetadataRequest(owner=self)
        for verb in _VERBS:
            if takes_weights(self, verb):
                getattr(made, verb).add_request(param="sample_weight", alias=None)
        return made

    def set_fit_request(self, *, sample_weight: Any = _UNCHANGED) -> Self:
        """Say whether `fit` wants the weights: True, False, None, or what they are called."""
        return self._request("fit", sample_weight)

    def set_partial_fit_request(self, *, sample_weight: Any = _UNCHANGED) -> Self:
        """Say whether `partial_fit` wants the weights."""
        return self._request("partial_fit", sample_weight)

    def set_score_request(self, *, sample_weight: Any = _UNCHANGED) -> Self:
        """Say whether `score` wants the weights."""
        return self._request("score", sample_weight)

    def _request(self, verb: str, alias: Any) -> Self:
        from sklearn import get_config

        if not cast("Any", get_config)()["enable_metadata_routing"]:
            raise RuntimeError(
                "This method is only available when metadata routing is enabled. You can enable it "
                "using sklearn.set_config(enable_metadata_routing=True)."
            )
        if not takes_weights(self, verb):
            raise TypeError(f"{type(self).__name__}.{verb} takes no sample_weight.")
        if not (isinstance(alias, str) and alias == _UNCHANGED):
            request = self.get_metadata_routing()
            getattr(request, verb).add_request(param="sample_weight", alias=alias)
            self._metadata_request = request
        return self


def takes_weights(learner: Any, verb: str) -> bool:
    """Whether a verb of a learner has the parameter `sample_weight`."""
    return hasattr(learner, verb) and (verb == "score" or learner.takes.weights)
