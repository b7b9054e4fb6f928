import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { mkdirSync, readdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { delimiter, dirname, join } from 'node:path'
import { expect } from 'vitest'
import { defined } from './elements.ts'
import { until } from './processes.ts'

/** A bash that runs what a reader would paste. */
export type Shell = {
  /** Runs a statement and waits for its end, which must be 0. Resolves with its output. */
  type(statement: string): Promise<string>
  /** All output so far, including background jobs. */
  output(): string
  close(): void
}

/**
 * Opens a bash in a folder, with the `node` that a reader of the README has. `strict` also fails for refused
 * calls: a pipe fails with any of its commands, and curl with a status of 400 or more.
 */
export function openShell(cwd: string, { strict = false } = {}): Shell {
  const folders = [dirname(process.execPath), process.env.PATH]
  if (strict) folders.unshift(folderOfStrictCurl(cwd))
  const bash: ChildProcess = spawn('bash', ['--noprofile', '--norc', ...(strict ? ['-o', 'pipefail'] : [])], {
    cwd,
    env: { PATH: folders.join(delimiter), HOME: cwd },
    // its background jobs end with it
    detached: true,
  })
  let output = ''
  for (const stream of [defined(bash.stdout), defined(bash.stderr)]) {
    stream.setEncoding('utf8').on('data', piece => {
      output += piece
    })
  }
  let count = 0
  return {
    output: () => output,
    async type(statement) {
      const from = output.length
      const mark = `statement ${++count} ended with`
      defined(bash.stdin).write(`${statement}\necho "${mark} $?"\n`)
      await until(`${statement} ends`, () => output.includes(mark, from))
      const [printed = '', status = ''] = output.slice(from).split(mark)
      expect(status.trim().split('\n')[0], `${statement}\n${printed}`).toBe('0')
      return printed.trim()
    },
    close: () => void process.kill(-defined(bash.pid), 'SIGKILL'),
  }
}

function folderOfStrictCurl(cwd: string): string {
  const folder = join(cwd, '.strict')
  mkdirSync(folder, { recursive: true })
  const { stdout } = spawnSync('sh', ['-c', 'command -v curl'], { encoding: 'utf8' })
  writeFileSync(join(folder, 'curl'), `#!/bin/sh\nexec ${stdout.trim()} --fail-with-body "$@"\n`, {
    mode: 0o755,
  })
  return folder
}

/** Makes a folder look like that of the program after `npm start`, with its own data. */
export function linkProgram(root: string, folder: string): void {
  const own = new Set(['.git', 'data', 'dist', 'README.md'])
  for (const name of readdirSync(root).filter(name => !own.has(name)))
    symlinkSync(join(root, name), join(folder, name))
}

/** A fenced block of a Markdown page: the info string, and its text. */
export type CodeBlock = { language: string; info: string; text: string }

export function codeBlocks(markdown: string): CodeBlock[] {
  return [...markdown.matchAll(/^```(\S*)[ ]*(.*)\n([\s\S]*?)^```$/gm)].map(
    ([, language = '', info = '', text = '']) => ({ language, info, text: text.trimEnd() }),
  )
}

/** The statements of a block: continued lines are joined. */
export function statementsOf(text: string): string[] {
  const statements: string[] = []
  let lines: string[] = []
  for (const line of text.split('\n')) {
    lines.push(line)
    const statement = lines.join('\n')
    if (line.endsWith('\\') || spawnSync('bash', ['-n'], { input: statement }).status !== 0) continue
    if (statement.trim() !== '' && !/^(#.*\s*)+$/.test(statement)) statements.push(statement)
    lines = []
  }
  if (lines.length > 0) throw new Error(`bash does not understand: ${lines.join('\n')}`)
  return statements
}
