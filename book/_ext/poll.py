"""The directive ``poll``: a question whose options explain themselves when they are opened.

    :::{poll} Along which axis does the softmax run?
    - [ ] Down the columns.

      Why that is wrong.

    - [x] Along the rows.

      Why that is right.
    :::

Every option becomes a ``<details>``: it needs no JavaScript, and the keyboard and screen readers know it.
"""

from docutils import nodes
from sphinx.application import Sphinx
from sphinx.util.docutils import SphinxDirective


class poll(nodes.General, nodes.Element):
    """The whole question."""


class poll_option(nodes.General, nodes.Element):
    """One option with its explanation."""


class poll_summary(nodes.General, nodes.TextElement):
    """The text of an option: what the reader clicks."""


class Poll(SphinxDirective):
    """Question as the argument; the body ends with a task list of options, the right ones ticked."""

    required_arguments = 1
    final_argument_whitespace = True
    has_content = True

    def run(self) -> list[nodes.Node]:
        """Turn the parsed task list into options."""
        question, messages = self.parse_inline(self.arguments[0], lineno=self.lineno)
        body = nodes.container()
        self.state.nested_parse(self.content, self.content_offset, body)
        if not body.children or not isinstance(body[-1], nodes.bullet_list):
            raise self.error("a poll ends with a list of options: - [x] a right one, - [ ] a wrong one")
        items = body.pop().children
        options = [self.option(item) for item in items]
        if not any(option["right"] for option in options):
            raise self.error("a poll needs at least one right option: - [x] …")
        asked = nodes.paragraph("", "", *question, classes=["poll-question"])
        return [poll("", asked, *body.children, *options), *messages]

    def option(self, item: nodes.list_item) -> poll_option:
        """``[x] text``, blank line, explanation."""
        text = item[0]
        # MyST's task list has turned the brackets into the HTML of a checkbox.
        box = text[0] if text.children else None
        if not isinstance(box, nodes.raw) or "checkbox" not in box.astext():
            raise self.error(f"a poll's option begins with [ ] or [x], got {item.astext()[:40]!r}")
        if len(item) < 2:
            raise self.error(f"a poll's option needs an explanation after a blank line: {item.astext()[:40]!r}")
        right = "checked" in box.astext()
        text.remove(box)
        text[0] = nodes.Text(text[0].lstrip()) if isinstance(text[0], nodes.Text) else text[0]
        verdict = nodes.strong("", "Right. " if right else "No. ", classes=["poll-verdict"])
        explanation = item.children[1:]
        if isinstance(explanation[0], nodes.paragraph):
            explanation[0].insert(0, verdict)
        else:
            explanation.insert(0, nodes.paragraph("", "", verdict))
        return poll_option("", poll_summary("", "", *text.children), *explanation, right=right)


def setup(app: Sphinx) -> dict:
    """Register with Sphinx."""

    def tags(opening: str, closing: str) -> tuple:
        return (lambda self, node: self.body.append(opening), lambda self, node: self.body.append(closing))

    def open_option(self: object, node: poll_option) -> None:
        self.body.append(f'<details class="poll-option {"right" if node["right"] else "wrong"}">')

    def nothing(self: object, node: nodes.Node) -> None:
        """Other builders print the text without a frame."""

    plain = (nothing, nothing)
    app.add_node(poll, html=tags('<div class="poll">', "</div>"), latex=plain, text=plain)
    app.add_node(poll_option, html=(open_option, tags("", "</details>")[1]), latex=plain, text=plain)
    app.add_node(poll_summary, html=tags("<summary>", "</summary>"), latex=plain, text=plain)
    app.add_directive("poll", Poll)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
