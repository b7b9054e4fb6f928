import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { defined } from '#tests/support/elements.ts'

const source = readFileSync(join(import.meta.dirname, 'tokens.css'), 'utf8')
const tokens = new Map(
  [...source.matchAll(/--([\w-]+): light-dark\((#[0-9a-f]{6}), (#[0-9a-f]{6})\)/g)].map(
    ([, name = '', light = '', dark = '']) => [name, { light, dark }],
  ),
)

const grounds = ['ground', 'raised', 'sunk', 'hover', 'chosen']
const texts: [text: string, on: string[]][] = [
  ['ink', [...grounds, 'accent-soft', 'danger-soft', 'warn-soft', 'info-soft']],
  ['quiet', grounds],
  ['accent', ['ground', 'raised', 'hover', 'accent-soft']],
  ['danger', ['ground', 'raised', 'hover', 'danger-soft']],
  ['warn', ['ground', 'raised', 'hover', 'warn-soft']],
  ['info', ['ground', 'raised', 'hover', 'info-soft']],
  ['on-accent', ['accent', 'accent-hover', 'danger', 'danger-hover']],
  ['on-tooltip', ['tooltip']],
]
const shapes: [shape: string, on: string[]][] = [
  ['edge', ['ground', 'raised']],
  ['focus', grounds],
]

test.each(['light', 'dark'] as const)('%s: every text has a contrast of 4.5, edges and focus of 3', theme => {
  const weak = [
    ...pairs(texts).filter(([one, other]) => contrast(one, other, theme) < 4.5),
    ...pairs(shapes).filter(([one, other]) => contrast(one, other, theme) < 3),
  ]
  expect(weak.map(([one, other]) => `${one} on ${other}: ${contrast(one, other, theme).toFixed(2)}`)).toEqual(
    [],
  )
})

function pairs(list: [string, string[]][]): [string, string][] {
  return list.flatMap(([one, others]) => others.map((other): [string, string] => [one, other]))
}

function contrast(one: string, other: string, theme: 'light' | 'dark'): number {
  const both = [one, other].map(name => luminance(defined(tokens.get(name))[theme]))
  return (Math.max(...both) + 0.05) / (Math.min(...both) + 0.05)
}

/** The relative luminance of WCAG 2. */
function luminance(color: string): number {
  const light = (at: number) => {
    const part = Number.parseInt(color.slice(at, at + 2), 16) / 255
    return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4
  }
  return 0.2126 * light(1) + 0.7152 * light(3) + 0.0722 * light(5)
}
