import { spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { createRequire } from 'node:module'
import { constants } from 'node:os'
import { dirname, join } from 'node:path'

/** The Node among the packages, wherever npm put them; undefined if there is none for this machine. */
export function pinnedNode() {
  try {
    const manifest = `node-${process.platform}-${process.arch}/package.json`
    return join(dirname(createRequire(import.meta.url).resolve(manifest)), 'bin/node')
  } catch (error) {
    if (error.code === 'MODULE_NOT_FOUND') return undefined
    throw error
  }
}

/**
 * Runs this same command with the Node that comes with the packages, because the one that runs it now is too old. Signals
 * are passed on, and this process ends as the other one does.
 */
export function runWithPinnedNode(node, oldestMajor) {
  if (!node || !existsSync(node)) {
    process.stderr.write(
      `Patio needs Node ${oldestMajor} or newer; this is ${process.version}. Run: npm ci --omit=dev\n` +
        'It brings the right one along on Linux, and this command finds it. Elsewhere install Node yourself.\n',
    )
    process.exitCode = 1
    return
  }
  const child = spawn(node, process.argv.slice(1), { stdio: 'inherit' })
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => child.kill(signal))
  child.on('error', error => {
    process.stderr.write(`${node} cannot be started: ${error.message}\n`)
    process.exitCode = 1
  })
  child.on('exit', (code, signal) => process.exit(signal ? 128 + constants.signals[signal] : code))
}
