/** Markdown as a tree that a component draws. Nothing in it is HTML. */
export type MarkdownNode =
  | { kind: 'text'; text: string }
  /** A character that changes the direction of the text around it, made visible. */
  | { kind: 'control'; code: string }
  | { kind: 'element'; tag: MarkdownTag; isEnd?: true; start?: number; children: readonly MarkdownNode[] }
  | { kind: 'code'; language: string; children: readonly MarkdownNode[] }
  /** Paths of this server have no `host`. `isBare`: its words are the address. */
  | { kind: 'link'; href: string; host?: string; isBare?: true; children: readonly MarkdownNode[] }
  | { kind: 'image'; src: string; host?: string; alt: string }
  /** The name of a person or an application. `isOwn`: of the person who reads. */
  | { kind: 'mention'; name: string; isOwn: boolean }

export const markdownTags = [
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
export type MarkdownTag = (typeof markdownTags)[number]

const bidiControls = /[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/

/** Splits a text, so that characters that control its direction become nodes of their own. */
export function textNodes(text: string): readonly MarkdownNode[] {
  if (!bidiControls.test(text)) return text === '' ? [] : [{ kind: 'text', text }]
  return text
    .split(new RegExp(`(${bidiControls.source})`))
    .filter(piece => piece !== '')
    .map(piece =>
      bidiControls.test(piece)
        ? { kind: 'control', code: `U+${piece.charCodeAt(0).toString(16).toUpperCase().padStart(4, '0')}` }
        : { kind: 'text', text: piece },
    )
}
