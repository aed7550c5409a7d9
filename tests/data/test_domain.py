import copy
import pickle
from dataclasses import FrozenInstanceError

import pytest
from hypothesis import given
from hypothesis import strategies as st

from satsuma.data.domain import Domain
from satsuma.data.variable import KINDS, ROLES, Variable
from satsuma.errors import DomainError, NoSuchColumn, NoSuchValue

SKY = Variable("sky", "sym", ("rain", "sun"))
HEAT = Variable("heat")
PLAY = Variable("play", "sym", ("no", "yes"), "target")
DAYS = Domain([SKY, HEAT, PLAY])


class TestVariable:
    def test_is_a_number_to_learn_from_unless_said_otherwise(self):
        assert (HEAT.kind, HEAT.values, HEAT.role, HEAT.goal) == ("num", (), "x", None)

    @pytest.mark.parametrize("field", ["name", "kind", "values", "role", "goal"])
    def test_cannot_be_changed(self, field):
        with pytest.raises(FrozenInstanceError):
            setattr(SKY, field, "sun")

    def test_equal_if_all_is_equal(self):
        assert Variable("sky", "sym", ("rain", "sun")) == SKY
        assert hash(Variable("sky", "sym", ("rain", "sun"))) == hash(SKY)
        assert Variable("sky", "sym", ("sun", "rain")) != SKY
        assert SKY.with_role("meta") != SKY

    @pytest.mark.parametrize(
        "variable",
        [SKY, HEAT, PLAY, Variable("Mpg+", role="goal", goal="+"), Variable("t", "text")],
    )
    def test_repr_makes_it_again(self, variable):
        assert eval(repr(variable)) == variable

    def test_codes_are_positions_of_values(self):
        assert dict(SKY.codes) == {"rain": 0, "sun": 1}
        assert [SKY.code(value) for value in SKY.values] == [0, 1]

    def test_codes_cannot_be_changed(self):
        with pytest.raises(TypeError):
            SKY.codes["snow"] = 2

    def test_an_unknown_value_is_named_with_its_column(self):
        with pytest.raises(NoSuchValue, match=r"'sky' has no value 'sunn'. Did you mean 'sun'"):
            SKY.code("sunn")

    @pytest.mark.parametrize("duplicate", [copy.copy, copy.deepcopy])
    def test_survives_copying_after_its_codes_were_asked_for(self, duplicate):
        assert SKY.codes
        assert duplicate(SKY) == SKY

    def test_survives_pickling_after_its_codes_were_asked_for(self):
        assert SKY.codes
        back = pickle.loads(pickle.dumps(SKY))
        assert back == SKY
        assert back.codes == SKY.codes

    def test_another_role_leaves_the_first_alone(self):
        assert SKY.with_role("meta").role == "meta"
        assert SKY.role == "x"

    def test_a_goal_loses_its_direction_with_its_role(self):
        assert Variable("Mpg+", role="goal", goal="+").with_role("x") == Variable("Mpg+")

    @pytest.mark.parametrize(
        ("given", "message"),
        [
            ({"name": ""}, "empty name"),
            (
                {"kind": "number"},
                "kind of column 'a' must be one of num, sym, text, time. Got 'number'",
            ),
            ({"role": "class"}, "role of column 'a' must be one of x, target, .* Got 'class'"),
            ({"values": ("b",)}, "'a' lists values, so its kind must be 'sym'"),
            ({"kind": "text", "values": ("b",)}, "'a' lists values"),
            ({"kind": "sym", "values": ("b", "c", "b")}, "'a' lists a value twice"),
            ({"role": "goal"}, "'a': the role 'goal' and a direction .* go together"),
            ({"goal": "+"}, "'a': the role 'goal' and a direction .* go together"),
            ({"role": "target", "goal": "-"}, "Got the role 'target' and the goal '-'"),
            ({"kind": "sym", "role": "goal", "goal": "+"}, "'a' has the role 'goal', .* numbers"),
            (
                {"kind": "text", "role": "weight"},
                "'a' has the role 'weight', .* its kind is 'text'",
            ),
        ],
    )
    def test_refuses_what_does_not_fit(self, given, message):
        with pytest.raises(DomainError, match=message):
            Variable(**{"name": "a", **given})


class TestDomain:
    def test_columns_by_name_and_by_position(self):
        assert DAYS["heat"] == DAYS[1] == DAYS[-2] == HEAT
        assert [DAYS.index(key) for key in ("sky", 2, -1)] == [0, 2, 2]

    def test_in_order(self):
        assert list(DAYS) == [SKY, HEAT, PLAY]
        assert DAYS.names == ("sky", "heat", "play")
        assert len(DAYS) == 3

    def test_contains_names(self):
        assert "sky" in DAYS
        assert "snow" not in DAYS
        assert SKY not in DAYS

    @pytest.mark.parametrize("key", ["skye", 3, -4, ""])
    def test_an_unknown_column_is_named(self, key):
        with pytest.raises(NoSuchColumn, match=repr(key)):
            DAYS[key]

    def test_two_columns_of_one_name(self):
        with pytest.raises(DomainError, match="Two columns are called 'heat'"):
            Domain([SKY, HEAT, HEAT])

    @pytest.mark.parametrize("role", ["target", "weight"])
    def test_one_column_at_most_is_the_target_and_one_the_weight(self, role):
        with pytest.raises(DomainError, match=f"2 columns have the role '{role}': 'a', 'b'"):
            Domain([Variable("a", role=role), Variable("b", role=role)])

    def test_columns_by_role(self):
        domain = Domain(
            [
                SKY,
                Variable("Mpg+", role="goal", goal="+"),
                Variable("n", role="weight"),
                Variable("Lbs-", role="goal", goal="-"),
                Variable("id", "text", role="meta"),
                Variable("HpX", role="ignore"),
                PLAY,
            ]
        )
        assert domain.attributes == (SKY,)
        assert domain.target == PLAY
        assert [v.name for v in domain.goals] == ["Mpg+", "Lbs-"]
        assert [v.name for v in domain.metas] == ["id"]
        assert domain.weight == Variable("n", role="weight")
        assert [v.name for v in domain.of_role("ignore")] == ["HpX"]

    def test_no_target_and_no_weight(self):
        assert Domain([HEAT]).target is None
        assert Domain([HEAT]).weight is None

    def test_no_columns(self):
        nothing = Domain([])
        assert (len(nothing), nothing.names, nothing.target) == (0, (), None)
        with pytest.raises(NoSuchColumn, match="There are none"):
            nothing[0]

    def test_equal_if_its_variables_are(self):
        again = Domain(iter([SKY, HEAT, PLAY]))
        assert again == DAYS
        assert hash(again) == hash(DAYS)
        assert Domain([HEAT, SKY, PLAY]) != DAYS
        assert DAYS != [SKY, HEAT, PLAY]

    def test_repr_makes_it_again(self):
        assert eval(repr(DAYS)) == DAYS

    def test_survives_pickling_after_use(self):
        assert DAYS.names
        assert DAYS.target.codes
        assert pickle.loads(pickle.dumps(DAYS)) == DAYS
        assert copy.deepcopy(DAYS) == DAYS


class TestWithRoles:
    def test_leaves_the_first_alone(self):
        changed = DAYS.with_roles({"heat": "-"})
        assert changed["heat"] == Variable("heat", role="goal", goal="-")
        assert DAYS["heat"] == HEAT

    def test_the_target_moves(self):
        moved = DAYS.with_roles(target="sky")
        assert moved.target.name == "sky"
        assert moved["play"].role == "x"

    def test_the_target_may_stay_where_it_is(self):
        assert DAYS.with_roles(target="play") == DAYS

    def test_the_target_can_be_given_up(self):
        assert DAYS.with_roles({"play": "ignore"}).target is None

    def test_roles_and_target_together(self):
        changed = DAYS.with_roles({"play": "meta", "sky": "ignore"}, target="heat")
        assert [v.role for v in changed] == ["ignore", "target", "meta"]

    def test_nothing_to_change(self):
        assert DAYS.with_roles() == DAYS.with_roles({}) == DAYS

    @pytest.mark.parametrize("changes", [{"roles": {"skye": "meta"}}, {"target": "skye"}])
    def test_an_unknown_column(self, changes):
        with pytest.raises(NoSuchColumn, match=r"'skye'. Did you mean 'sky'"):
            DAYS.with_roles(**changes)

    def test_an_unknown_role(self):
        with pytest.raises(DomainError, match="Got 'class' instead"):
            DAYS.with_roles({"sky": "class"})

    def test_symbols_are_no_goal(self):
        with pytest.raises(DomainError, match="'sky' has the role 'goal', so it must hold numbers"):
            DAYS.with_roles({"sky": "+"})

    def test_a_second_target_is_refused(self):
        with pytest.raises(DomainError, match="2 columns have the role 'target': 'sky', 'play'"):
            DAYS.with_roles({"sky": "target"})


NAMES = st.lists(st.text(min_size=1), unique=True, max_size=8)


@given(NAMES, st.data())
def test_any_names_are_found_again(names, data):
    domain = Domain(Variable(name, data.draw(st.sampled_from(KINDS))) for name in names)
    assert [domain.index(name) for name in names] == list(range(len(names)))
    assert domain.names == tuple(names)
    assert eval(repr(domain)) == domain


def test_roles_are_those_of_the_documentation():
    assert ROLES == ("x", "target", "goal", "meta", "ignore", "weight")
