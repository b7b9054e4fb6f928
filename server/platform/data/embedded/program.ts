import { spawn } from 'node:child_process'
import { join } from 'node:path'
import type { SystemAccount } from './account.ts'
import { bareEnvironment, type Software } from './software.ts'

/**
 * The value of `-D`. The launcher enters the cluster folder first, as root if necessary, and PostgreSQL uses
 * its working folder. So the cluster works even if only root can enter the folders above.
 */
export function dataArgument(dir: string): string {
  return process.platform === 'linux' ? '/proc/self/cwd' : dir
}

/** Runs a PostgreSQL program in `dir` to its end; throws with its output if it fails. */
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
  // A program that fails at once closes its input; its output says more than the broken pipe.
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
