// Behind the search's worker: Chinese has no blanks between its words, so each two characters that follow each other are one.
{
  const RUN = /\+?([\u4e00-\u9fff]{2,})/g
  const cut = (text, mark, last) =>
    text.replace(RUN, (_, run) => ` ${Array.from(run, (_, at) => mark + run.slice(at, at + 2)).slice(0, last).join(" ")}`)
  const { tokenizer, QueryLexer } = lunr
  lunr.tokenizer = (text, metadata) => tokenizer(typeof text === "string" ? cut(text, "") : text, metadata)
  lunr.tokenizer.separator = tokenizer.separator
  // The theme adds a * to what is typed. All words of it shall be there.
  lunr.QueryLexer = Object.assign(function (text) { return new QueryLexer(cut(text, "+", -1)) }, QueryLexer)
}
