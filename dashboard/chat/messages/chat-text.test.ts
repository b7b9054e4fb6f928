import { expect, it } from 'vitest'
import { markdownTree } from '../../parts/markdown-tree.ts'
import { isPlainText, lineOf, plainNodes, withMentions } from './chat-text.rules.ts'

const names = { byId: new Map([['c1', 'Mei Lin']]), ownId: 'c1', unknown: 'somebody' }

it('knows which texts need no parser', () => {
  for (const text of ['Hello, Mei (hi)', 'Two\nlines', '<@c1> look: https://a.test/x_y#z', 'at 10.30 - fine'])
    expect(isPlainText(text), text).toBe(true)
  for (const text of ['**b**', 'a `code`', '- one', '1. one', '# t', 'a\n---', '    code', '&amp;', '<b>'])
    expect(isPlainText(text), text).toBe(false)
})

it('shows mentions by name and makes addresses links, without the end of the sentence', () => {
  expect(plainNodes('<@c1>, see https://a.test/b. <@c2>', names)).toEqual([
    {
      kind: 'element',
      tag: 'p',
      children: [
        { kind: 'mention', name: 'Mei Lin', isOwn: true },
        { kind: 'text', text: ', see ' },
        {
          kind: 'link',
          href: 'https://a.test/b',
          children: [{ kind: 'text', text: 'https://a.test/b' }],
          isBare: true,
        },
        { kind: 'text', text: '.' },
        { kind: 'text', text: ' ' },
        { kind: 'mention', name: 'somebody', isOwn: false },
      ],
    },
  ])
  expect(lineOf('<@c1>\nlook', names)).toBe('@Mei Lin look')
})

it('leaves code as it is', () => {
  const [paragraph] = withMentions(markdownTree('**<@c1>** and `<@c1>`'), names)
  expect(JSON.stringify(paragraph)).toContain('"kind":"mention"')
  expect(JSON.stringify(paragraph)).toContain('<@c1>')
})
