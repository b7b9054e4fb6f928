/** A Markdown file in two. `head` and `body` together are the file, character for character. */
export type Split = {
  /** The front matter with its delimiters and one empty line after it; empty when there is none. */
  head: string
  /** What stands between the delimiters. */
  yaml: string
  body: string
}

/** Front matter that says nothing: it keeps a body apart that begins like front matter. */
export const emptyHead = '---\n---\n\n'

const mark = '\ufeff'
const opening = /^\ufeff?---[ \t]*(?:\r?\n|$)/
const closing = /^---[ \t]*(?:\r?\n|$)/gm
const emptyLine = /\r?\n/y

/**
 * Splits a file into front matter and body. `unclosed`: nothing ends the front matter; `language`: it begins with the
 * name of some other language, as in `---js`.
 */
export function splitMarkdown(text: string): Split | 'unclosed' | 'language' {
  const begin = opening.exec(text)
  if (!begin) {
    if (/^\ufeff?---[a-z]/i.test(text)) return 'language'
    return text.startsWith(mark)
      ? { head: mark, yaml: '', body: text.slice(1) }
      : { head: '', yaml: '', body: text }
  }
  const start = begin[0].length
  closing.lastIndex = start
  const end = closing.exec(text)
  if (!end) return 'unclosed'
  emptyLine.lastIndex = closing.lastIndex
  const at = emptyLine.test(text) ? emptyLine.lastIndex : end.index + end[0].length
  return { head: text.slice(0, at), yaml: text.slice(start, end.index), body: text.slice(at) }
}

/** True when a reader would take the beginning of this body for front matter, or for no text at all. */
export function looksLikeFrontmatter(body: string): boolean {
  return body.startsWith('---') || body.startsWith(mark)
}
