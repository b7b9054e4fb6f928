import MarkdownIt, { type Token } from 'markdown-it'
import { linkOf } from './link-of.ts'
import { type MarkdownNode, type MarkdownTag, markdownTags, textNodes } from './markdown-node.ts'

const mostNesting = 20

const parser = new MarkdownIt({ html: false, linkify: false, typographer: false, maxNesting: mostNesting })
// every address becomes a token; linkOf decides what is a link
parser.validateLink = () => true

/** Reads Markdown. Raw HTML is text, and only addresses that `linkOf` accepts are links. */
export function markdownTree(text: string): readonly MarkdownNode[] {
  return nodesOf(parser.parse(text, {}))
}

type Frame = { node: MarkdownNode | undefined; children: MarkdownNode[] }

function nodesOf(tokens: readonly Token[]): readonly MarkdownNode[] {
  const root: Frame = { node: undefined, children: [] }
  const open: Frame[] = [root]
  for (const token of tokens) {
    const parent = open.at(-1) ?? root
    if (token.nesting === 1) {
      const children: MarkdownNode[] = []
      const node = token.hidden ? undefined : openedNode(token, children)
      // the paragraphs of a tight list and links that are refused have no node of their own, only their content
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
          children: textNodes(token.content.replace(/\n$/, '')),
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
  // an image at any other address, such as a data URL, is replaced by its description
  if (!link || link.href.startsWith('mailto:')) return { kind: 'text', text: alt }
  return { kind: 'image', src: link.href, ...(link.host && { host: link.host }), alt }
}

function attributeOf(token: Token, name: string): string {
  return String(token.attrGet(name) ?? '')
}

function isTag(tag: string): tag is MarkdownTag {
  return (markdownTags as readonly string[]).includes(tag)
}
