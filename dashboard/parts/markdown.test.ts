import { expect, test } from 'vitest'
import { hostileTexts } from '#tests/support/hostile-markdown.ts'
import { leastProcessorMs } from '#tests/support/processor-time.ts'
import { linkOf } from './link-of.ts'
import type { MarkdownNode } from './markdown-node.ts'
import { markdownTree } from './markdown-tree.ts'

test.each(Object.entries(hostileTexts))('%s: only harmless nodes, within a second', async (_name, text) => {
  expect(await leastProcessorMs(() => markdownTree(text), 1_000)).toBeLessThan(1_000)
  const tree = markdownTree(text)
  expect(depthOf(tree)).toBeLessThanOrEqual(45)
  for (const node of allNodes(tree)) {
    if (node.kind === 'link') expect(node.href).toMatch(/^(https?:\/\/|mailto:|\/(?![/\\]))/)
    // a component loads only images without a host
    if (node.kind === 'image' && node.host === undefined) expect(node.src).toMatch(/^\/(?![/\\])/)
    if (node.kind === 'text') expect(node.text).not.toMatch(/[\u202a-\u202e\u2066-\u2069]/)
  }
})

test('raw HTML stays text', () => {
  expect(markdownTree('a <b>c</b>')).toEqual([
    {
      kind: 'element',
      tag: 'p',
      children: [{ kind: 'text', text: 'a <b>c</b>' }],
    },
  ])
})

test('links show the host of another server, own paths have none, other addresses are only their words', () => {
  expect(linkOf('/o/acme/studio')).toEqual({ href: '/o/acme/studio' })
  expect(linkOf('https://example.com/a')).toEqual({ href: 'https://example.com/a', host: 'example.com' })
  expect(linkOf('mailto:mei@acme.example')).toEqual({ href: 'mailto:mei@acme.example' })
  for (const address of ['', '#part', 'page.html', 'ftp://example.com', '//example.com', '/\\example.com'])
    expect(linkOf(address)).toBeUndefined()
  expect(markdownTree('[word](javascript:alert(1))')).toEqual([
    { kind: 'element', tag: 'p', children: [{ kind: 'text', text: 'word' }] },
  ])
})

test('a control of direction becomes visible, in code too', () => {
  expect(allNodes(markdownTree('`a\u202Eb`'))).toContainEqual({ kind: 'control', code: 'U+202E' })
})

function allNodes(nodes: readonly MarkdownNode[]): readonly MarkdownNode[] {
  return nodes.flatMap(node => [node, ...('children' in node ? allNodes(node.children) : [])])
}

function depthOf(nodes: readonly MarkdownNode[]): number {
  return Math.max(0, ...nodes.map(node => 1 + ('children' in node ? depthOf(node.children) : 0)))
}
