import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'
import type { AnyStatement } from '#platform/data/statement.ts'
import { stores } from './declared.ts'
import { root } from './operations.ts'

const program = `
  for (const file of process.argv.slice(1)) await import(file)
  const { statements } = await import('#platform/data/statement.ts')
  process.stdout.write(JSON.stringify(statements()))`

/**
 * Every statement of the product, from a separate process: test files also declare statements, and those of earlier files would be
 * registered.
 */
export async function everyStatement(): Promise<AnyStatement[]> {
  // some modules declare the statements of a table that they name
  const files = [...stores(), 'server/areas.ts', 'server/background-work.ts'].map(file => join(root, file))
  const { stdout } = await promisify(execFile)(
    process.execPath,
    ['--input-type=module', '-e', program, ...files],
    { cwd: root, maxBuffer: 64 * 1024 ** 2 },
  )
  return JSON.parse(stdout) as AnyStatement[]
}

/** The number of parameters of a statement that uses each from `$1` on. */
export function countParameters({ text }: Pick<AnyStatement, 'text'>): number {
  const numbers = new Set(
    [...text.replace(/'(?:[^']|'')*'/g, '').matchAll(/\$(\d+)/g)].map(([, n]) => Number(n)),
  )
  const most = Math.max(0, ...numbers)
  return numbers.size === most ? most : Number.NaN
}
