/** A Markdown file in two parts. `head` + `body` is the file, character by character. */
export type Split = {
  /** The front matter with its delimiters and one empty line after it; empty if there is none. */
  head: string
  /** The text between the delimiters. */
  yaml: string
  body: string
}

/** Empty front matter. It protects a body that starts like front matter. */
export const emptyHead = '---\n---\n\n'

const mark = '\ufeff'
const opening = /^\ufeff?---[ \t]*(?:\r?\n|$)/
const closing = /^---[ \t]*(?:\r?\n|$)/gm
const emptyLine = /\r?\n/y

/**
 * Splits a file into front matter and body. `unclosed`: the front matter has no end. `language`: it declares a language
 * other than YAML, as in `---js`.
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

/** Whether a reader would take the start of this body for front matter or drop it as a byte order mark. */
export function looksLikeFrontmatter(body: string): boolean {
  return body.startsWith('---') || body.startsWith(mark)
}
