/**
 * `npm run check`: every gate that reads the code without running it, two at once: the compiler needs gigabytes, and about as long
 * as all others together. Prints each with its time when it ends.
 */
import { execFile, spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import ts from 'typescript'
import { dangers, productMigrations } from './migration-rules.ts'
import { licenseProblems } from './sbom.ts'
import { createdTables, needlessExceptions, ownershipProblems, wrongUses } from './table-rules.ts'
import { findPrivateWords } from './words.ts'

type Problem = string | undefined

// the longest first: the others run beside it
const gates: Record<string, () => Problem | Promise<Problem>> = {
  types: () => run('tsc', ['--noEmit', '-p', '.']),
  'types of the dashboard': () => run('tsc', ['--noEmit', '-p', 'dashboard']),
  'format and lint': () => run('biome', ['check', '--error-on-warnings', '.']),
  'import rules': cruise,
  'product words in the platform': productWordsInPlatform,
  'unused code': () => run('knip', ['--no-progress']),
  'one reader': oneReader,
  'generated documents': () => run('node', ['tools/docs.ts', '--check']),
  'rules of the specification': wrongRules,
  'spread literals': spreadLiterals,
  'order of locks': locksWithoutOrder,
  'frozen migrations': changedMigrations,
  'expand and contract': dangerousMigrations,
  'tables of areas': foreignTables,
  'exact versions': inexactVersions,
  licences: forbiddenLicenses,
  'words of the glossary': wordsOfTheGlossary,
}

/** Runs a program of the packages. Resolves to what it printed if it failed. */
async function run(program: string, args: string[]): Promise<Problem> {
  const { error, stdout, stderr } = await execute(program, args)
  return error ? `${stdout}${stderr}` || error.message : undefined
}

type Execution = { error: Error | null; stdout: string; stderr: string }

function execute(program: string, args: string[]): Promise<Execution> {
  const { promise, resolve } = Promise.withResolvers<Execution>()
  execFile(
    `node_modules/.bin/${program}`,
    args,
    { encoding: 'utf8', maxBuffer: 256 * 1024 ** 2 },
    (error, stdout, stderr) => resolve({ error, stdout, stderr }),
  )
  return promise
}

/** dependency-cruiser, which reports success when it could not read anything: then the gate fails. */
async function cruise(): Promise<Problem> {
  const folders = ['contract', 'server', 'dashboard', 'sdk', 'tests', 'tools', 'bench']
  const { stdout, stderr } = await execute('depcruise', [
    '--config',
    '.dependency-cruiser.cjs',
    '--output-type',
    'json',
    ...folders,
  ])
  try {
    const { summary } = JSON.parse(stdout)
    if (summary.totalCruised < countSources(folders)) return `read only ${summary.totalCruised} modules`
    const errors = summary.violations.filter(
      (v: { rule: { severity: string } }) => v.rule.severity === 'error',
    )
    if (errors.length === 0) return undefined
    return errors
      .map((v: { rule: { name: string }; from: string; to: string }) => `${v.rule.name}: ${v.from} → ${v.to}`)
      .join('\n')
  } catch {
    return `${stdout}${stderr}` || 'dependency-cruiser printed nothing'
  }
}

function countSources(folders: string[]): number {
  return folders.flatMap(sources).length
}

function sources(folder: string): string[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter(name => /\.tsx?$/.test(name) && !name.startsWith('dist/'))
    .map(name => `${folder}/${name}`)
}

/** The environment is read in config.ts, the clock in clock.ts, and the network is reached in platform/adapters/. */
function oneReader(): string | undefined {
  const rules: [pattern: RegExp, allowed: RegExp, what: string][] = [
    [/\bprocess\.env\b/, /^server\/config\.ts$/, 'process.env'],
    [/\bDate\.now\(\)|\bnew Date\(\)/, /^server\/platform\/clock\.ts$/, 'the clock'],
    [
      /(?<!\.)\bfetch\(|\bfrom 'undici'|\bfrom 'node:https?'.*request/,
      /^server\/platform\/adapters\//,
      'the network',
    ],
    // a pause may be any; what must not be guessed comes from node:crypto
    [/\bMath\.random\(\)/, /^server\/platform\/(keep-connected|events\/sse\/frames)\.ts$/, 'Math.random'],
    [/\b(utils|helpers|common|manager|service|handler)\.ts'/, /^$/, 'a name that says nothing'],
  ]
  const breaches = sources('server')
    .filter(path => !/(\.test|test-server)\.ts$/.test(path))
    .flatMap(path => {
      const text = readFileSync(path, 'utf8').replace(/\/\*[\s\S]*?\*\/|\/\/.*$/gm, '')
      return rules
        .filter(([pattern, allowed]) => pattern.test(text) && !allowed.test(path))
        .map(([, , what]) => `${path}: ${what}`)
    })
  return breaches.length === 0 ? undefined : breaches.join('\n')
}

const productWord =
  /error-?report|tax-?(?:record|office)|invoice|budget|refund|mandate|marketplace|catalogue?|opportunit|\bchats?\b|asset(?!-readers)/gi
/** Files of the platform with product words that are left: the readers of an asset as recipients. */
const leftProductWords: Record<string, readonly string[]> = {
  'server/platform/events/emit.ts': ['asset'],
}

/** The platform serves every area and names none. Its adapters name the outside systems that they are for. */
function productWordsInPlatform(): string | undefined {
  const problems = sources('server/platform')
    .filter(path => !/^server\/platform\/adapters\/|(\.test|test-server)\.ts$/.test(path))
    .flatMap(path => {
      const left = leftProductWords[path] ?? []
      const lines = readFileSync(path, 'utf8').split('\n')
      return lines.flatMap((line, index) =>
        [...line.matchAll(productWord)]
          .filter(([word]) => !left.includes(word.toLowerCase()))
          .map(([word]) => `${path}:${index + 1}: ${word} belongs to an area`),
      )
    })
  return problems.length === 0 ? undefined : problems.join('\n')
}

/** Every rule id of docs/spec is defined once, and every id that any file cites is defined. */
function wrongRules(): string | undefined {
  const defined = new Map<string, string>()
  const problems: string[] = []
  for (const page of readdirSync('docs/spec')) {
    const text = readFileSync(`docs/spec/${page}`, 'utf8')
    for (const [, id = ''] of text.matchAll(/^- \*\*([A-Z]+-\d+)\*\*/gm)) {
      if (defined.has(id)) problems.push(`docs/spec/${page}: ${id} is also in ${defined.get(id)}`)
      defined.set(id, page)
    }
  }
  if (defined.size === 0) return 'docs/spec defines no rule'
  const prefixes = new Set([...defined.keys()].map(id => id.replace(/-.*/, '')))
  const cited = new RegExp(`\\b(?:${[...prefixes].join('|')})-\\d+\\b`, 'g')
  const { stdout } = spawnSync('git', ['ls-files', '-co', '--exclude-standard'], { encoding: 'utf8' })
  for (const path of stdout.split('\n').filter(name => /\.(tsx?|mjs|sql|md)$/.test(name))) {
    for (const [id] of readFileSync(path, 'utf8').matchAll(cited))
      if (!defined.has(id)) problems.push(`${path}: no rule ${id}`)
  }
  return problems.length === 0 ? undefined : problems.join('\n')
}

/** Spreading a literal saves lines and hides a list: it is written out. */
function spreadLiterals(): string | undefined {
  const problems: string[] = []
  for (const path of ['contract', 'server', 'dashboard', 'sdk', 'tests', 'tools', 'bench'].flatMap(sources)) {
    const text = readFileSync(path, 'utf8')
    if (!/\.\.\.\(*[[{]/.test(text)) continue
    const file = ts.createSourceFile(path, text, ts.ScriptTarget.Latest, true)
    const visit = (node: ts.Node): void => {
      if (isSpreadLiteral(node)) {
        const { line } = file.getLineAndCharacterOfPosition(node.getStart(file))
        problems.push(`${path}:${line + 1}: write the literal out instead of spreading it`)
      }
      ts.forEachChild(node, visit)
    }
    visit(file)
  }
  return problems.length === 0 ? undefined : problems.join('\n')
}

/** The elements of Promise.all have no order that a reader sees, and locks need one: `tx.inOrder` says it. */
function locksWithoutOrder(): string | undefined {
  const problems: string[] = []
  for (const path of sources('server').filter(path => !path.endsWith('.test.ts'))) {
    const text = readFileSync(path, 'utf8')
    if (!text.includes('Promise.all')) continue
    const file = ts.createSourceFile(path, text, ts.ScriptTarget.Latest, true)
    const visit = (node: ts.Node, isTogether: boolean): void => {
      if (isTogether && ts.isIdentifier(node) && /^(lock|shareLock)[A-Z]/.test(node.text)) {
        const { line } = file.getLineAndCharacterOfPosition(node.getStart(file))
        problems.push(`${path}:${line + 1}: ${node.text} in Promise.all: say the order with tx.inOrder`)
      }
      const isAll = ts.isCallExpression(node) && /^Promise\.all/.test(node.expression.getText(file))
      ts.forEachChild(node, child => visit(child, isTogether || isAll))
    }
    visit(file, false)
  }
  return problems.length === 0 ? undefined : problems.join('\n')
}

/** migrations/SHA256SUMS names every migration; one that it names does not change, because databases have applied it. */
function changedMigrations(): string | undefined {
  const sums = new Map(
    readFileSync('migrations/SHA256SUMS', 'utf8')
      .trimEnd()
      .split('\n')
      .map(line => [line.slice(66), line.slice(0, 64)]),
  )
  const files = readdirSync('migrations').filter(name => name.endsWith('.sql'))
  const problems = files.flatMap(name => {
    const sum = createHash('sha256')
      .update(readFileSync(`migrations/${name}`))
      .digest('hex')
    if (!sums.has(name)) return [`migrations/${name}: add its line to migrations/SHA256SUMS: ${sum}  ${name}`]
    return sums.get(name) === sum ? [] : [`migrations/${name} is frozen: put the change into a new migration`]
  })
  for (const name of sums.keys()) if (!files.includes(name)) problems.push(`migrations/${name} is missing`)
  return problems.length === 0 ? undefined : problems.join('\n')
}

/** The version that still runs works beside a new migration, and waits for none: docs/guides/upgrade.md. */
function dangerousMigrations(): string | undefined {
  const found = dangers(productMigrations())
  if (found.length === 0) return undefined
  return found
    .map(({ migration, statement, why }) => `migrations/${migration}: ${statement}: ${why}`)
    .join('\n')
}

/** Each table has one area, which alone writes it; tools/areas.ts says which areas may read it. */
function foreignTables(): string | undefined {
  const excepted = new Set<string>()
  const problems = sources('server')
    .filter(path => !/(\.test|test-server)\.ts$/.test(path))
    .flatMap(path => wrongUses(path, readFileSync(path, 'utf8'), excepted))
    .map(({ path, table, why }) => `${path}: ${table}: ${why}`)
  problems.push(
    ...ownershipProblems(createdTables(productMigrations())).map(problem => `tools/areas.ts: ${problem}`),
    ...needlessExceptions(excepted).map(key => `tools/table-rules.ts: nothing needs the exception ${key}`),
  )
  return problems.length === 0 ? undefined : problems.join('\n')
}

/** Every machine gets the packages that were tested: package.json names one version of each. */
function inexactVersions(): string | undefined {
  const manifest = JSON.parse(readFileSync('package.json', 'utf8')) as Record<string, Record<string, string>>
  const problems = ['dependencies', 'devDependencies', 'optionalDependencies']
    .flatMap(kind => Object.entries(manifest[kind] ?? {}))
    .filter(([, version]) => !/^\d+\.\d+\.\d+(-[\w.]+)?$/.test(version))
    .map(([name, version]) => `package.json: ${name} ${version}: name one version`)
  return problems.length === 0 ? undefined : problems.join('\n')
}

/** Packages that are passed on with a release have a licence that allows it. */
function forbiddenLicenses(): string | undefined {
  const problems = licenseProblems()
  if (problems.length === 0) return undefined
  return `${problems.join('\n')}\nuse another package, or add the licence to tools/sbom.ts after reading it`
}

/** Names and sentences use the words of docs/glossary.md; tools/words.ts lists those that they do not use. */
function wordsOfTheGlossary(): string | undefined {
  const findings = findPrivateWords()
  if (findings.length === 0) return undefined
  return findings.map(({ path, line, text, instead }) => `${path}:${line}: ${text}: ${instead}`).join('\n')
}

function isSpreadLiteral(node: ts.Node): boolean {
  if (ts.isRestTypeNode(node)) return ts.isTupleTypeNode(node.type)
  if (!ts.isSpreadAssignment(node) && !ts.isSpreadElement(node)) return false
  let inner: ts.Expression = node.expression
  while (ts.isParenthesizedExpression(inner) || ts.isAsExpression(inner)) inner = inner.expression
  return ts.isSpreadAssignment(node)
    ? ts.isObjectLiteralExpression(inner)
    : ts.isArrayLiteralExpression(inner)
}

const waiting = Object.entries(gates)
async function runWaiting(): Promise<void> {
  for (let next = waiting.shift(); next; next = waiting.shift()) {
    const [name, gate] = next
    const start = performance.now()
    const problem = await gate()
    process.stdout.write(`${problem ? '✗' : '✓'} ${name} (${Math.round(performance.now() - start)} ms)\n`)
    if (!problem) continue
    process.exitCode = 1
    process.stdout.write(`${problem}\n`)
  }
}
await Promise.all([runWaiting(), runWaiting()])
