/** The front matter and the body of an asset, as the API has them. */
export type Content = { frontmatterText: string; bodyMarkdown: string }

const opening = /^---[ \t]*(?:\n|$)/
const closing = /^---[ \t]*(?:\n|$)/gm

/** The whole text that a person edits: front matter between its marks, and the body. */
export function wholeText({ frontmatterText, bodyMarkdown }: Content): string {
  const yaml = withUnixEnds(frontmatterText)
  const body = withUnixEnds(bodyMarkdown)
  // a body that begins as front matter does needs an empty one before it
  if (yaml === '') return opening.test(body) ? `---\n---\n\n${body}` : body
  return `---\n${yaml.endsWith('\n') ? yaml : `${yaml}\n`}---\n\n${body}`
}

/** The parts of a whole text; undefined if its front matter has no end. */
export function partsOf(text: string): Content | undefined {
  const begin = opening.exec(text)
  if (!begin) return { frontmatterText: '', bodyMarkdown: text }
  closing.lastIndex = begin[0].length
  const end = closing.exec(text)
  if (!end) return undefined
  const at = end.index + end[0].length
  return {
    frontmatterText: text.slice(begin[0].length, end.index),
    // one empty line belongs to the mark
    bodyMarkdown: text.slice(text[at] === '\n' ? at + 1 : at),
  }
}

/** The text with other front matter. */
export function withFrontMatter(text: string, frontmatterText: string): string {
  const parts = partsOf(text)
  return parts ? wholeText({ ...parts, frontmatterText }) : text
}

/** Texts of Windows have two characters at the end of a line; editors have one. */
function withUnixEnds(text: string): string {
  return text.replaceAll('\r\n', '\n')
}

/** A text with the ends of lines that the saved one has, so that an edit changes only what was edited. */
export function withEndsOf(saved: string, text: string): string {
  const lines = saved.split('\n').length - 1
  const isWindows = lines > 0 && saved.split('\r\n').length - 1 === lines
  return isWindows ? text.replaceAll('\n', '\r\n') : text
}
