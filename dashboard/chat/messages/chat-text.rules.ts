import { linkOf } from '../../parts/link-of.ts'
import { type MarkdownNode, textNodes } from '../../parts/markdown-node.ts'

/** The names of the people and applications that a text may mention, by id, and who reads it. */
export type Names = {
  readonly byId: ReadonlyMap<string, string>
  readonly ownId: string
  readonly unknown: string
}

const mention = /<@([A-Za-z0-9_-]+)>/
const pieces = /(<@[A-Za-z0-9_-]+>|https?:\/\/[^\s<>"]+)/

/** Whether a text means the same without Markdown, so that its parser is not needed. */
export function isPlainText(text: string): boolean {
  const words = text.replaceAll(new RegExp(mention, 'g'), '').replaceAll(/https?:\/\/\S+/g, '')
  return !/[*_`~[\]#>|\\&!<]|^\s*(?:[-+]|\d+[.)])\s|^(?: {4}|\t)|^[-=]{2,}\s*$/m.test(words)
}

/** The nodes of a text without Markdown: only links and mentions. */
export function plainNodes(text: string, names: Names): readonly MarkdownNode[] {
  return [{ kind: 'element', tag: 'p', children: decorated(text, names) }]
}

/** Replaces the mentions and addresses in the words of a tree; those in code stay as they are. */
export function withMentions(nodes: readonly MarkdownNode[], names: Names): readonly MarkdownNode[] {
  return nodes.flatMap((node): readonly MarkdownNode[] => {
    if (node.kind === 'text') return decorated(node.text, names)
    if (node.kind === 'element' && node.tag !== 'code')
      return [{ ...node, children: withMentions(node.children, names) }]
    return [node]
  })
}

function decorated(text: string, names: Names): readonly MarkdownNode[] {
  return text.split(pieces).flatMap((piece): readonly MarkdownNode[] => {
    const id = mention.exec(piece)?.[1]
    if (id !== undefined)
      return [{ kind: 'mention', name: names.byId.get(id) ?? names.unknown, isOwn: id === names.ownId }]
    return piece.startsWith('http') ? linkNodes(piece) : textNodes(piece)
  })
}

/** An address without the sign that ends its sentence. */
function linkNodes(piece: string): readonly MarkdownNode[] {
  const address = piece.replace(/[.,;:!?)'»”]+$/, '')
  const link = linkOf(address)
  if (!link) return textNodes(piece)
  // the address names its host
  const node: MarkdownNode = { kind: 'link', href: link.href, children: textNodes(address), isBare: true }
  return [node, ...textNodes(piece.slice(address.length))]
}

/** The text in one line, for a list: mentions by their names. */
export function lineOf(text: string, names: Names): string {
  return text
    .replaceAll(new RegExp(mention, 'g'), (_, id: string) => `@${names.byId.get(id) ?? names.unknown}`)
    .replaceAll(/\s+/g, ' ')
}
