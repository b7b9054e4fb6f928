import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type Claim, claims, isClaimMet } from './claims.ts'
import { type Spread, short } from './statistics.ts'

/** One measured ratio, and its parts. */
export type Figure = { name: string; value: Spread; raw: string[] }

const begin = '<!-- figures: written by npm run bench -- --write -->'
const end = '<!-- end of figures -->'

/** Prints the figures of a row as they arrive; false if a claim fails. */
export function printFigures(figures: readonly Figure[]): boolean {
  let areClaimsMet = true
  for (const { name, value, raw } of figures) {
    const claim = claims.find(({ figure }) => figure === name)
    const isMet = claim && isClaimMet(claim, value.median)
    if (isMet === false) areClaimsMet = false
    say(`${mark(isMet)} ${claim?.says ?? name}, beside ${claim?.beside}: ${shown(value)}${claimed(claim)}`)
    for (const line of raw) say(`    ${line}`)
  }
  return areClaimsMet
}

/** Writes the figures into docs/performance.md; those of rows that did not run stay. */
export function writeFigures(figures: readonly Figure[], settings: string, command: string): void {
  const path = join(import.meta.dirname, '../docs/performance.md')
  const text = readFileSync(path, 'utf8')
  const before = text.slice(0, text.indexOf(begin) + begin.length)
  const after = text.slice(text.indexOf(end))
  const old = text.slice(before.length, text.length - after.length).split('\n')
  const lines = claims.map(claim => {
    const figure = figures.find(({ name }) => name === claim.figure)
    if (figure) return tableRow(claim, figure.value)
    return old.find(line => line.startsWith(`| ${claim.says} | ${claim.beside} |`)) ?? tableRow(claim)
  })
  const head = '| What | Beside | Claim | Median | Lowest to highest | Kept |\n|---|---|---|---|---|---|'
  const note = `Last written by \`${command}\`: ${settings}.`
  writeFileSync(path, `${before}\n\n${head}\n${lines.join('\n')}\n\n${note}\n\n${after}`)
}

function tableRow(claim: Claim, value?: Spread): string {
  const result = value ? mark(isClaimMet(claim, value.median)).trim() : ''
  const range = value ? `${short(value.min)} to ${short(value.max)}` : ''
  const bound = claimed(claim).replace(/^, claimed /, '')
  return `| ${[claim.says, claim.beside, bound, value ? short(value.median) : 'not measured', range, result].join(' | ')} |`
}

function claimed(claim: Claim | undefined): string {
  if (claim?.atLeast !== undefined) return `, claimed ≥ ${claim.atLeast}`
  return claim?.atMost !== undefined ? `, claimed ≤ ${claim.atMost}` : ''
}

function shown({ median, min, max }: Spread): string {
  return `${short(median)} (${short(min)} to ${short(max)})`
}

function mark(isMet: boolean | undefined): string {
  return isMet === undefined ? '·' : isMet ? '✓' : '✗'
}

export function say(text: string): void {
  process.stdout.write(`${text}\n`)
}
