import MarkdownIt, { type Token } from 'markdown-it'

/** Markdown as a tree that a component draws. Nothing in it is HTML. */
export type MarkdownNode =
  | { kind: 'text'; text: string }
  /** A character that changes the direction of the text around it, made visible. */
  | { kind: 'control'; code: string }
  | { kind: 'element'; tag: MarkdownTag; isEnd?: true; start?: number; children: readonly MarkdownNode[] }
  | { kind: 'code'; text: string; language: string }
  /** `host` is that of another server; own paths have none. */
  | { kind: 'link'; href: string; host?: string; children: readonly MarkdownNode[] }
  | { kind: 'image'; src: string; host?: string; alt: string }

const tags = [
  'p',
  'h1',
  'h2',
  'h3',
  'h4',
  'h5',
  'h6',
  'ul',
  'ol',
  'li',
  'blockquote',
  'hr',
  'br',
  'strong',
  'em',
  's',
  'code',
  'table',
  'thead',
  'tbody',
  'tr',
  'th',
  'td',
] as const
export type MarkdownTag = (typeof tags)[number]

const mostNesting = 20
/** A longer text is shown as it is. */
export const mostMarkdownCharacters = 500_000

const parser = new MarkdownIt({ html: false, linkify: false, typographer: false, maxNesting: mostNesting })
// every address becomes a token; linkOf decides what is a link
parser.validateLink = () => true
const bidiControls = /[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/

/** Reads Markdown. Raw HTML is text, and only addresses that `linkOf` accepts are links. */
export function markdownTree(text: string): readonly MarkdownNode[] {
  if (text.length > mostMarkdownCharacters) return [{ kind: 'code', text, language: '' }]
  return nodesOf(parser.parse(text, {}))
}

type Frame = { node: MarkdownNode | undefined; children: MarkdownNode[] }

function nodesOf(tokens: readonly Token[]): readonly MarkdownNode[] {
  const root: Frame = { node: undefined, children: [] }
  const open: Frame[] = [root]
  for (const token of tokens) {
    const parent = open.at(-1)!
    if (token.nesting === 1) {
      const children: MarkdownNode[] = []
      const node = token.hidden ? undefined : openedNode(token, children)
      // a tight list hides its paragraphs, a refused link its address: what is inside stays
      if (node) parent.children.push(node)
      open.push({ node, children: node ? children : parent.children })
    } else if (token.nesting === -1) {
      if (open.length > 1) open.pop()
    } else parent.children.push(...leafNodes(token))
  }
  return root.children
}

function openedNode(token: Token, children: MarkdownNode[]): MarkdownNode | undefined {
  if (token.tag === 'a') {
    const link = linkOf(attributeOf(token, 'href'))
    return link && { kind: 'link', ...link, children }
  }
  if (!isTag(token.tag)) return undefined
  const start = Number(attributeOf(token, 'start') || Number.NaN)
  return {
    kind: 'element',
    tag: token.tag,
    ...(attributeOf(token, 'style').includes('right') && { isEnd: true as const }),
    ...(!Number.isNaN(start) && { start }),
    children,
  }
}

function leafNodes(token: Token): readonly MarkdownNode[] {
  switch (token.type) {
    case 'inline':
      return nodesOf(token.children ?? [])
    case 'fence':
    case 'code_block':
      return [
        {
          kind: 'code',
          text: token.content.replace(/\n$/, ''),
          language: token.info.trim().split(/\s/)[0] ?? '',
        },
      ]
    case 'code_inline':
      return [{ kind: 'element', tag: 'code', children: textNodes(token.content) }]
    case 'softbreak':
      return [{ kind: 'text', text: '\n' }]
    case 'hardbreak':
      return [{ kind: 'element', tag: 'br', children: [] }]
    case 'hr':
      return [{ kind: 'element', tag: 'hr', children: [] }]
    case 'image':
      return [imageNode(token)]
    default:
      return textNodes(token.content)
  }
}

function imageNode(token: Token): MarkdownNode {
  const address = attributeOf(token, 'src')
  const link = linkOf(address)
  const alt = token.content
  // an image with an address of its own bytes or of a script is only its words
  if (!link || link.href.startsWith('mailto:')) return { kind: 'text', text: alt }
  return { kind: 'image', src: link.href, ...(link.host && { host: link.host }), alt }
}

/** A text in pieces: the controls of direction apart. */
export function textNodes(text: string): readonly MarkdownNode[] {
  if (!bidiControls.test(text)) return text === '' ? [] : [{ kind: 'text', text }]
  return text
    .split(new RegExp(`(${bidiControls.source})`))
    .filter(piece => piece !== '')
    .map(piece =>
      bidiControls.test(piece)
        ? { kind: 'control', code: `U+${piece.codePointAt(0)!.toString(16).toUpperCase().padStart(4, '0')}` }
        : { kind: 'text', text: piece },
    )
}

/** The address of a link if it is one of https, http and mailto, or a path of this server; else undefined. */
export function linkOf(address: string): { href: string; host?: string } | undefined {
  // browsers drop control characters and read a backslash as a slash
  const hasHidden = [...address].some(character => character <= ' ' || character === '\\')
  if (hasHidden || address === '') return undefined
  if (address.startsWith('/')) return address.startsWith('//') ? undefined : { href: address }
  if (!/^(https?:\/\/|mailto:)/i.test(address)) return undefined
  try {
    const url = new URL(address)
    return url.protocol === 'mailto:' ? { href: url.href } : { href: url.href, host: url.host }
  } catch {
    return undefined
  }
}

function attributeOf(token: Token, name: string): string {
  return String(token.attrGet(name) ?? '')
}

function isTag(tag: string): tag is MarkdownTag {
  return (tags as readonly string[]).includes(tag)
}
