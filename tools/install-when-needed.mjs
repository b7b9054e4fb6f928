// Runs first in npm start, npm test and others, with the Node that started npm (20 or newer) and no
// dependencies: installs node_modules as package-lock.json says, and does nothing if they match. Without
// `--dev`, development packages are left out, unless they were installed before. With `--dashboard` they are
// installed if the dashboard must be built.
import { spawn, spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import * as fs from 'node:fs'
import { constants, tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { isBuilt } from '../dashboard/build/digest.mjs'

const root = fileURLToPath(new URL('..', import.meta.url))
const stamp = join(root, 'node_modules/.installed-from')
const pinnedNode = join(root, 'node_modules/.bin/node')
const turn = join(tmpdir(), `patio-install-${digest(root).slice(0, 16)}`)
const staleTurnMs = 15 * 60_000
const turnPollMs = 200
/** How often the progress is shown: on a terminal, and in a log. */
const progressMs = { terminal: 500, log: 10_000 }

const lock = fs.readFileSync(join(root, 'package-lock.json'))
const { '': _project, ...locked } = JSON.parse(lock).packages
// Binaries differ by platform: a folder that is shared with a container or was copied does not count.
const target = `${digest(lock)} ${process.platform}-${process.arch}`
const stampOf = { all: `${target} all\n`, withoutDev: `${target} without-dev\n` }
const needsDev =
  process.argv.includes('--dev') || (process.argv.includes('--dashboard') && mustBuildDashboard())

if (!isFresh()) process.exitCode = await installInTurn()

function isFresh() {
  const found = readStamp()
  return (found === stampOf.all || (found === stampOf.withoutDev && !needsDev)) && runsPinnedNode()
}

function mustBuildDashboard() {
  return process.env.DASHBOARD !== 'off' && !isBuilt()
}

function readStamp() {
  try {
    return fs.readFileSync(stamp, 'utf8')
  } catch {
    return ''
  }
}

// Concurrent npm start and npm test must not both empty node_modules; the second finds the work done.
async function installInTurn() {
  while (!takeTurn()) await new Promise(resolve => setTimeout(resolve, turnPollMs))
  try {
    if (isFresh()) return 0
    if (matchesLock({ dev: true })) {
      fs.writeFileSync(stamp, stampOf.all)
      return 0
    }
    if (!needsDev && matchesLock({ dev: false })) {
      fs.writeFileSync(stamp, stampOf.withoutDev)
      return 0
    }
    // a folder with development packages keeps them when the lock changes
    const dev = needsDev || readStamp().endsWith(' all\n')
    const code = await install(dev)
    if (code === 0) fs.writeFileSync(stamp, dev ? stampOf.all : stampOf.withoutDev)
    return code
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

/** Whether a manual npm install left the packages that the lock requires, by npm's own record. */
function matchesLock({ dev }) {
  try {
    const record = fs.readFileSync(join(root, 'node_modules/.package-lock.json'))
    const installed = JSON.parse(record).packages
    const isSame = (a, b) => a?.version === b?.version && a?.integrity === b?.integrity
    const mayBeAbsent = entry => entry.optional || entry.devOptional || (!dev && entry.dev)
    return (
      Object.keys(installed).every(path => isSame(installed[path], locked[path])) &&
      Object.keys(locked).every(path => installed[path] || mayBeAbsent(locked[path])) &&
      runsPinnedNode()
    )
  } catch {
    return false
  }
}

/** Without a pinned Node (macOS), the running one must be new enough. */
function runsPinnedNode() {
  const name = `node-${process.platform}-${process.arch}`
  if (!(`node_modules/${name}` in locked)) return true
  linkPinnedNode(name)
  return spawnSync(pinnedNode, ['--version'], { stdio: 'ignore' }).status === 0
}

/**
 * npm 10 removes the link, because it takes it for that of the package for another processor, which it skips
 */
function linkPinnedNode(name) {
  if (fs.existsSync(pinnedNode) || !fs.existsSync(join(root, 'node_modules', name, 'bin/node'))) return
  try {
    fs.mkdirSync(dirname(pinnedNode), { recursive: true })
    fs.symlinkSync(join('..', name, 'bin/node'), pinnedNode)
  } catch (error) {
    say(`${pinnedNode} cannot be linked: ${error.message}`)
  }
}

async function install(dev) {
  say(
    dev
      ? 'Installing dependencies, including those for development (once)…'
      : 'Installing dependencies (once)…',
  )
  // None of our packages needs an install script, and no other may run one. npm 10 has no allow list.
  const quietly = ['--no-audit', '--no-fund', '--loglevel=error', '--ignore-scripts']
  const stopProgress = showProgress(dev)
  const code = await runNpm(['ci', ...quietly, ...(dev ? [] : ['--omit=dev'])])
  stopProgress()
  if (code !== 0) return code
  if (!runsPinnedNode()) {
    say(`${pinnedNode} does not run here. Is this musl libc? Patio needs glibc.`)
    return 1
  }
  return 0
}

/** Counts the installed packages: on a terminal in one line, elsewhere a line from time to time. */
function showProgress(dev) {
  const expected = Object.keys(locked).filter(
    path => isForThisMachine(locked[path]) && (dev || !locked[path].dev),
  )
  const isTerminal = process.stderr.isTTY
  const show = () => {
    const count = expected.filter(path => fs.existsSync(join(root, path, 'package.json'))).length
    const line = `  ${count} of ${expected.length} packages`
    process.stderr.write(isTerminal ? `\r${line}` : `${line}\n`)
  }
  const timer = setInterval(show, isTerminal ? progressMs.terminal : progressMs.log)
  return () => {
    clearInterval(timer)
    show()
    if (isTerminal) process.stderr.write('\n')
  }
}

/** Of the optional packages, only those for this machine are required; npm may skip the others. */
function isForThisMachine({ optional, os, cpu, libc }) {
  if (!optional) return true
  return !!os?.includes(process.platform) && !!cpu?.includes(process.arch) && libc?.includes('musl') !== true
}

/** npm's exit code, as a shell reports it; interruptions are passed on to npm. */
function runNpm(args) {
  const { npm_execpath: npm, npm_node_execpath: node } = process.env
  // The Node that runs npm, not the one in node_modules that npm ci is about to remove.
  const isNpm = node && npm && /npm-cli\.c?js$/.test(npm)
  const child = isNpm ? spawn(node, [npm, ...args], quiet()) : spawn('npm', args, quiet())
  // If this process is killed, npm continues, so the next process must wait for npm.
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

// npm ci's success message ("added 210 packages") is dropped; errors are shown.
function quiet() {
  return { cwd: root, stdio: ['ignore', 'ignore', 'inherit'] }
}

function say(line) {
  process.stderr.write(`${line}\n`)
}

function digest(data) {
  return createHash('sha256').update(data).digest('hex')
}
