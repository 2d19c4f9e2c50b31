"""The tokens of a file or of a macro's body, with what the passes ask about them: brackets, template arguments, scopes."""

from .edits import Span
from .vocabulary import CLOSING, OPENING, WITH_PARENS


class TokenStream:
    """A file without its directives, or a macro's body. `i`, `first`, `end` and what is returned are indices of tokens."""

    def __init__(self, tokens, directives=(), macro=None, parameters=()):
        self.tokens = tokens
        self.macro = macro  # the macro's name, or None for the file itself
        self.parameters = parameters
        self.directives = directives
        self.texts = [token.text for token in tokens] + [""] * 3  # so that one may look ahead
        self.partner = {}  # index of each bracket -> index of its other end
        self.parent = [None] * len(tokens)  # index of the innermost bracket around each token
        self.local_shared = []  # (name, index) of the __shared__ variables that functions declare
        self._match_brackets(directives)

    def __len__(self):
        return len(self.tokens)

    # ---- brackets

    def _match_brackets(self, directives):
        """Where #if and #else both open a bracket that is closed once, both are matched with that closing one."""
        stack, branches, waiting = [], [], list(directives)
        waiting.reverse()
        for i, text in enumerate(self.texts[:-3]):
            while waiting and waiting[-1].index <= i:
                stack = self._branch(waiting.pop().name, stack, branches)
            if text in OPENING:
                self.parent[i] = stack[-1][0] if stack else None
                stack.append([i])
                continue
            if text in CLOSING:
                while stack and self.texts[stack[-1][0]] != CLOSING[text] and any(
                        self.texts[opened[0]] == CLOSING[text] for opened in stack):
                    stack.pop()
                if stack and self.texts[stack[-1][0]] == CLOSING[text]:
                    opened = stack.pop()
                    self.partner[i] = opened[0]
                    self.partner.update((each, i) for each in opened)
            self.parent[i] = stack[-1][0] if stack else None

    @staticmethod
    def _branch(name, stack, branches):
        """The stack of open brackets behind a directive; an #else begins with the one that its #if began with."""
        if name in ("if", "ifdef", "ifndef"):
            branches.append((list(stack), []))
        elif name in ("else", "elif", "elifdef", "elifndef") and branches:
            branches[-1][1].append(stack)
            return list(branches[-1][0])
        elif name == "endif" and branches:
            ends = branches.pop()[1] + [stack]
            if len({len(end) for end in ends}) == 1:
                return [sorted(set(sum(opened, []))) for opened in zip(*ends)]
        return stack

    def skip(self, i):
        """The index after the token at i, or after its closing bracket if it opens one."""
        return self.partner.get(i, i) + 1 if self.texts[i] in OPENING else i + 1

    def splits_conditional(self, first, last):
        """Does an #if, #else or #endif between the tokens have its counterpart elsewhere?"""
        depth = 0
        for directive in self.directives:
            if first < directive.index <= last:
                depth += directive.name in ("if", "ifdef", "ifndef")
                if depth == 0 and directive.name in ("else", "elif", "elifdef", "elifndef", "endif"):
                    return True
                depth -= directive.name == "endif"
        return depth != 0

    # ---- template arguments

    def angle_end(self, i):
        """The index of the > that closes the template arguments opened by the < at i, or None."""
        depth = 0
        while i < len(self):
            text = self.texts[i]
            if text == "<":
                depth += 1
            elif text == ">":
                depth -= 1
                if depth == 0:
                    return i
            elif text in (";", ")", "]", "}", "<<<"):
                return None
            i = self.skip(i)
        return None

    def angle_start(self, i):
        """The index of the < that opens the template arguments closed by the > at i, or None."""
        depth = 0
        while i >= 0:
            text = self.texts[i]
            if text == ">":
                depth += 1
            elif text == "<":
                depth -= 1
                if depth == 0:
                    return i
            elif text in CLOSING:
                i = self.partner.get(i, -1)
            elif text in (";", "{", "(", "["):
                return None
            i -= 1
        return None

    # ---- declarations

    def is_word(self, i):
        return 0 <= i < len(self.tokens) and self.tokens[i].kind == "word"

    def statement_start(self, i):
        """The index of the first token of the declaration that the token at i belongs to."""
        while i > 0:
            before = self.texts[i - 1]
            if before in (";", "{", "}", "(", "[", ":", ",") or before in ("else", "do"):
                break
            if before == ">" and (opened := self.angle_start(i - 1)) is not None:
                i = opened
            elif before in (")", "]"):
                opened = self.partner.get(i - 1, -1)
                attribute = self.texts[opened - 1] in WITH_PARENS if before == ")" else self.texts[opened + 1] == "["
                if opened < 0 or not attribute:
                    break
                i = opened
            else:
                i -= 1
        return i

    def at_namespace_scope(self, i):
        if self.macro is not None:
            return False
        around = self.parent[i]
        while around is not None:
            if not self.is_namespace(around):
                return False
            around = self.parent[around]
        return True

    def is_namespace(self, i):
        """Is the bracket at i the { of a namespace or of an extern "C"?"""
        head = self.texts[self.statement_start(i):i]
        return self.texts[i] == "{" and ("namespace" in head or head[-2:-1] == ["extern"])

    # ---- tokens [first, end) as a piece of an edit

    def span(self, first, end):
        return Span(self.tokens[first].start, self.tokens[end - 1].end)

    def on_one_line(self, first, end):
        return " ".join(self.texts[first:end])

    def string_literal(self, first, end):
        """A name as a string literal; in a macro's body it may be made of parameters, `name##_kernel`."""
        parts = [text for text in self.texts[first:end] if text != "##"]
        return " ".join(f"#{part}" if part in self.parameters else f'"{part}"' for part in parts)
