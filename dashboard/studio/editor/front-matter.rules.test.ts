import { expect, test } from 'vitest'
import { parse } from 'yaml'
import { fieldsOf, withField } from './front-matter.rules.ts'

const written = `# who may run it
name: plan-week
description: 'Plans: the week' # shown by tools

argument-hint: "[team] [hours]"
tools:
  - Bash
  - Read
notes: |
  two
  lines
model: sonnet
`

test('a form shows the fields of one line; others stay as they are written', () => {
  expect(fieldsOf(written).map(({ key, value }) => [key, value])).toEqual([
    ['name', 'plan-week'],
    ['description', 'Plans: the week'],
    ['argument-hint', '[team] [hours]'],
    ['tools', undefined],
    ['notes', undefined],
    ['model', 'sonnet'],
  ])
  expect(fieldsOf('')).toEqual([])
})

test('a changed field changes its line alone; comments, order and unknown fields stay', () => {
  expect(withField(written, 'description', 'Plans # two: weeks')).toBe(
    written.replace("'Plans: the week'", '"Plans # two: weeks"'),
  )
  expect(withField(written, 'model', '')).toBe(written.replace('model: sonnet\n', ''))
  expect(withField(written, 'license', 'MIT')).toBe(`${written}license: MIT\n`)
  expect(withField('', 'model', 'opus')).toBe('model: opus\n')
  expect(withField('', 'model', '')).toBe('')
})

test.each(['[a] <b>', 'a: b', '- a', '"q"', "it's", '#x', 'a #b', 'x', '{a}', 'a]', '*', '1.10', 'yes'])(
  'what a person types is the value that YAML reads: %s',
  value => {
    const yaml = withField('a: 1\n', 'hint', value)
    expect(String((parse(yaml, { schema: 'failsafe' }) as Record<string, unknown>).hint)).toBe(value)
    expect(fieldsOf(yaml).find(({ key }) => key === 'hint')?.value).toBe(value)
  },
)
