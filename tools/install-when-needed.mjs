// Runs before npm start, npm test and the like, with whatever Node started npm (20 or newer) and with nothing
// installed: brings node_modules in line with package-lock.json, and does nothing when it is already.
import { spawn, spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import * as fs from 'node:fs'
import { constants, tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('..', import.meta.url))
const stamp = join(root, 'node_modules/.installed-from')
const pinnedNode = join(root, 'node_modules/.bin/node')
const turn = join(tmpdir(), `patio-install-${digest(root).slice(0, 16)}`)
const staleTurnMs = 15 * 60_000
const turnPollMs = 200

// Binaries differ by platform: a folder shared with a container or copied from elsewhere does not count.
const lock = fs.readFileSync(join(root, 'package-lock.json'))
const wanted = `${digest(lock)} ${process.platform}-${process.arch}\n`

if (!isFresh()) process.exitCode = await installInTurn()

function isFresh() {
  try {
    fs.accessSync(pinnedNode, fs.constants.X_OK)
    return fs.readFileSync(stamp, 'utf8') === wanted
  } catch {
    return false
  }
}

// npm start and npm test at once must not both empty node_modules; who comes second finds the work done.
async function installInTurn() {
  while (!takeTurn()) await new Promise(resolve => setTimeout(resolve, turnPollMs))
  try {
    if (isFresh()) return 0
    if (!matchesLock()) {
      const code = await install()
      if (code !== 0) return code
    }
    fs.writeFileSync(stamp, wanted)
    return 0
  } finally {
    fs.rmSync(turn, { force: true })
  }
}

function takeTurn() {
  try {
    fs.writeFileSync(turn, String(process.pid), { flag: 'wx' })
    return true
  } catch (error) {
    if (error.code !== 'EEXIST') throw error
    if (isTurnStale()) fs.rmSync(turn, { force: true })
    return false
  }
}

function isTurnStale() {
  try {
    if (Date.now() - fs.statSync(turn).mtimeMs > staleTurnMs) return true
    process.kill(Number(fs.readFileSync(turn, 'utf8')), 0)
    return false
  } catch (error) {
    return error.code === 'ESRCH'
  }
}

/** Whether somebody's own npm install has left just what the lock asks for, by npm's record of what is there. */
function matchesLock() {
  try {
    fs.accessSync(pinnedNode, fs.constants.X_OK)
    const record = fs.readFileSync(join(root, 'node_modules/.package-lock.json'))
    const { packages: there } = JSON.parse(record)
    const { '': _, ...asked } = JSON.parse(lock).packages
    const same = (a, b) => a?.version === b?.version && a?.integrity === b?.integrity
    return (
      Object.keys(there).every(path => same(there[path], asked[path])) &&
      Object.keys(asked).every(path => there[path] || asked[path].optional) &&
      runsPinnedNode()
    )
  } catch {
    return false
  }
}

function runsPinnedNode() {
  return spawnSync(pinnedNode, ['--version'], { stdio: 'ignore' }).status === 0
}

async function install() {
  say('Installing dependencies (once)…')
  const code = await runNpm(['ci', '--no-audit', '--no-fund', '--loglevel=error'])
  if (code !== 0) return code
  if (!runsPinnedNode()) {
    say(`${pinnedNode} does not run here. Were install scripts switched off, or is this musl libc?`)
    return 1
  }
  return 0
}

/** Exit code of npm, as a shell counts it; interruptions are passed on to it. */
function runNpm(args) {
  const { npm_execpath: npm, npm_node_execpath: node } = process.env
  // The Node that runs npm, not the one in node_modules that npm ci is about to remove.
  const isNpm = node && npm && /npm-cli\.c?js$/.test(npm)
  const child = isNpm ? spawn(node, [npm, ...args], quiet()) : spawn('npm', args, quiet())
  // Should we be killed, npm goes on by itself, and it is npm that the next one has to wait for.
  if (child.pid) fs.writeFileSync(turn, String(child.pid))
  let interruption
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) {
    process.on(signal, () => {
      interruption = signal
      child.kill(signal)
    })
  }
  return new Promise(resolve => {
    child.on('error', error => {
      say(`npm cannot be started: ${error.message}`)
      resolve(1)
    })
    child.on('exit', (code, signal) => {
      const ended = interruption ?? signal
      resolve(ended ? 128 + constants.signals[ended] : code)
    })
  })
}

// What npm ci says when all is well ("added 210 packages") goes nowhere; errors are shown.
function quiet() {
  return { cwd: root, stdio: ['ignore', 'ignore', 'inherit'] }
}

function say(line) {
  process.stderr.write(`${line}\n`)
}

function digest(data) {
  return createHash('sha256').update(data).digest('hex')
}
