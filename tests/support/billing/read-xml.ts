import { XmlDocument } from 'libxml2-wasm'
import { decimalOf } from '#platform/decimal.ts'

const namespaces = {
  cac: 'urn:oasis:names:specification:ubl:schema:xsd:CommonAggregateComponents-2',
  cbc: 'urn:oasis:names:specification:ubl:schema:xsd:CommonBasicComponents-2',
}

/** An element of a parsed document; paths are XPath 1.0, relative to it. */
export type XmlReader = {
  all: (path: string) => XmlReader[]
  /** The text of the first element; undefined without one. */
  text: (path: string) => string | undefined
  /** A decimal of at most two places as a whole number of hundredths; 0 without an element. */
  cents: (path: string) => bigint
}

/** Parses a document, which throws if it is not well-formed, and reads it with a function. */
export function readXml<Result>(xml: string, read: (root: XmlReader) => Result): Result {
  const document = XmlDocument.fromString(xml)
  try {
    return read(readerOf(document.root))
  } finally {
    document.dispose()
  }
}

type Node = XmlDocument['root']

function readerOf(node: Node): XmlReader {
  const all = (path: string) => (node.find(path, namespaces) as Node[]).map(readerOf)
  const text = (path: string) => (node.find(path, namespaces)[0] as Node | undefined)?.content
  const cents = (path: string) => centsOf(text(path) ?? '0')
  return { all, text, cents }
}

function centsOf(text: string): bigint {
  const { units, places } = decimalOf(text)
  if (places > 2) throw new Error(`${text} has more than two places`)
  return units * 10n ** BigInt(2 - places)
}
