import { createElement, Fragment, type ReactNode } from 'react'
import { useWords, words } from '../words/words.ts'
import { Icon } from './icon.tsx'
import styles from './markdown.module.css'
import type { MarkdownNode, MarkdownTag } from './markdown-node.ts'
import linkStyles from './text-link.module.css'

const texts = words({
  es: {
    image: (alt: string, host: string) => `Imagen de ${host}: ${alt || 'sin descripción'}`,
    control: (code: string) => `Carácter de dirección ${code}`,
    code: 'Código',
    table: 'Tabla',
  },
  en: {
    image: (alt: string, host: string) => `Image of ${host}: ${alt || 'no description'}`,
    control: (code: string) => `Direction character ${code}`,
    code: 'Code',
    table: 'Table',
  },
})
const foreign = 'noopener noreferrer nofollow'

/** The headings of a text are below those of the page. */
const headings: Partial<Record<MarkdownTag, string>> = {
  h1: 'h3',
  h2: 'h4',
  h3: 'h5',
  h4: 'h6',
  h5: 'h6',
  h6: 'h6',
}

/** Draws a tree of Markdown. */
export function MarkdownNodes({ nodes }: { nodes: readonly MarkdownNode[] }): ReactNode {
  return nodes.map((node, at) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: the nodes of a text have no other identity
    <Fragment key={at}>
      <OneNode node={node} />
    </Fragment>
  ))
}

function OneNode({ node }: { node: MarkdownNode }): ReactNode {
  const text = useWords(texts)
  switch (node.kind) {
    case 'text':
      return node.text
    case 'control':
      return (
        <span className={styles.control} title={text.control(node.code)}>
          {node.code}
        </span>
      )
    case 'code':
      return (
        <pre
          className={styles.code}
          tabIndex={0}
          role="region"
          aria-label={`${text.code} ${node.language}`.trim()}
        >
          <MarkdownNodes nodes={node.children} />
        </pre>
      )
    case 'link':
      return (
        <a
          href={node.href}
          className={linkStyles.link}
          {...((node.host || node.isBare) && { rel: foreign, target: '_blank' })}
        >
          <MarkdownNodes nodes={node.children} />
          {node.host && <span className={styles.host}> {node.host}</span>}
        </a>
      )
    case 'image':
      return node.host === undefined ? (
        <img src={node.src} alt={node.alt} loading="lazy" className={styles.image} />
      ) : (
        <a href={node.src} rel={foreign} target="_blank" className={styles.imageLink}>
          <Icon name="hidden" /> {text.image(node.alt, node.host)}
        </a>
      )
    case 'mention':
      return (
        <span className={styles.mention} data-own={node.isOwn || undefined}>
          @{node.name}
        </span>
      )
    case 'element':
      return <Element node={node} />
  }
}

function Element({ node }: { node: Extract<MarkdownNode, { kind: 'element' }> }): ReactNode {
  const { table } = useWords(texts)
  const { tag, children, isEnd, start } = node
  const properties = {
    className: `${styles[tag] ?? ''} ${isEnd ? styles.end : ''}`.trim() || undefined,
    start,
  }
  const element =
    tag === 'hr' || tag === 'br'
      ? createElement(tag, properties)
      : createElement(headings[tag] ?? tag, properties, <MarkdownNodes nodes={children} />)
  // the keyboard must reach a table that is wider than the page
  if (tag !== 'table') return element
  return (
    <div className={styles.scroll} tabIndex={0} role="region" aria-label={table}>
      {element}
    </div>
  )
}
