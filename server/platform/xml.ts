/** An element: text, or other elements. Mixed content is not needed. */
export type XmlElement = {
  readonly name: string
  readonly attributes: Readonly<Record<string, string>>
  readonly content: string | readonly XmlElement[]
}

/** An element that is left out if it is null or false, so that a caller can write a condition in place. */
type OptionalElement = XmlElement | null | false | undefined

/** Builds an element. Text is escaped when the document is written. */
export function element(
  name: string,
  content: string | readonly OptionalElement[],
  attributes: Readonly<Record<string, string>> = {},
): XmlElement {
  const isElement = (child: OptionalElement): child is XmlElement => Boolean(child)
  return { name, attributes, content: typeof content === 'string' ? content : content.filter(isElement) }
}

/** The document of a root element in UTF-8, indented by two spaces. The same element results in the same text. */
export function xmlDocument(root: XmlElement): string {
  return `<?xml version="1.0" encoding="UTF-8"?>\n${written(root, '')}`
}

function written({ name, attributes, content }: XmlElement, indent: string): string {
  const start = Object.entries(attributes).map(([key, value]) => ` ${key}="${escaped(value)}"`)
  const tag = `${indent}<${name}${start.join('')}>`
  if (typeof content === 'string') return `${tag}${escaped(content)}</${name}>\n`
  return `${tag}\n${content.map(child => written(child, `${indent}  `)).join('')}${indent}</${name}>\n`
}

const escapes: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  // a reader would turn it into a line feed
  '\r': '&#13;',
}

/** Text of XML 1.0. A character that XML forbids, also as a reference, becomes U+FFFD. */
function escaped(text: string): string {
  return text
    .toWellFormed()
    .replace(/[^\t\n\r\u0020-\ufffd\u{10000}-\u{10ffff}]/gu, '\ufffd')
    .replace(/[&<>"\r]/g, character => escapes[character]!)
}
