import { spawn } from 'node:child_process'
import { join } from 'node:path'
import type { SystemAccount } from './account.ts'
import { bareEnvironment, type Software } from './software.ts'

/**
 * What `-D` gets. The launcher enters the cluster folder first, as root where need be, and PostgreSQL finds
 * it as "where I am": so the cluster stays in the data folder even when only root can enter what lies above.
 */
export function dataArgument(dir: string): string {
  return process.platform === 'linux' ? '/proc/self/cwd' : dir
}

/** Runs one of PostgreSQL's programs inside `dir` to its end; throws with its output when it fails. */
export async function runProgram(
  software: Software,
  dir: string,
  account: SystemAccount,
  [program, ...args]: string[],
  input = '',
): Promise<void> {
  const child = spawn(join(software.dir, 'bin', program!), args, {
    ...account,
    cwd: dir,
    env: bareEnvironment,
  })
  let output = ''
  child.stdout.on('data', text => (output += text))
  child.stderr.on('data', text => (output += text))
  // A program that fails at once closes its input; what it printed says more than the broken pipe.
  child.stdin.on('error', () => {})
  child.stdin.end(`${input}\n`)
  await new Promise<void>((resolve, reject) => {
    child.on('error', reject)
    child.on('close', (code, signal) => {
      if (code === 0) return resolve()
      reject(
        new Error(`${program} failed (${signal ?? code}): ${output.trim().split('\n').slice(-6).join('\n')}`),
      )
    })
  })
}
