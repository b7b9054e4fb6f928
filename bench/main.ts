/** `npm run bench [row …] -- [--quick] [--write]`: every claimed figure, beside its limit. */
import { parseArgs } from 'node:util'
import { claims } from './claims.ts'
import { fullSize, openBenchEnvironment, quickSize } from './environment.ts'
import { endAll, isEnding } from './processes.ts'
import { type Figure, printFigures, say, writeFigures } from './report.ts'
import { rows } from './rows/index.ts'

const { values, positionals } = parseArgs({
  options: { quick: { type: 'boolean' }, write: { type: 'boolean' } },
  allowPositionals: true,
})

async function main(): Promise<number> {
  const unknown = positionals.find(name => !(name in rows))
  if (unknown) {
    process.stderr.write(`There is no row ${unknown}; the rows are ${Object.keys(rows).join(', ')}.\n`)
    return 2
  }
  if (values.quick && values.write) {
    process.stderr.write('A quick run is too short for figures to keep: leave out --quick or --write.\n')
    return 2
  }
  if (values.quick)
    say('A smoke run: a tenth of the assets, a quarter of the streams. Its figures show nothing.')
  // in their own order, because some rows change what later ones measure: after the shares, lists take longer
  const wanted = Object.keys(rows).filter(name => positionals.length === 0 || positionals.includes(name))
  const environment = await openBenchEnvironment(values.quick ? quickSize : fullSize)
  const settings = await environment.settings()
  say(settings)
  const figures: Figure[] = []
  let areClaimsMet = true
  for (const name of wanted) {
    const startedAt = performance.now()
    const measured = await rows[name]!(environment)
    say(`\n${name} (${Math.round((performance.now() - startedAt) / 1000)} s)`)
    if (!printFigures(measured)) areClaimsMet = false
    figures.push(...measured)
  }
  const claimed = claims.filter(claim => wanted.includes(claim.row)).length
  say(
    `\n${figures.length} of ${claimed} figures measured${areClaimsMet ? ', every claim met' : ', NOT every claim met'}.`,
  )
  if (values.write) writeFigures(figures, settings, ['npm run bench --', ...process.argv.slice(2)].join(' '))
  return areClaimsMet ? 0 : 1
}

try {
  process.exitCode = await main()
} catch (error) {
  if (!isEnding()) process.stderr.write(`${(error as Error).stack}\n`)
  process.exitCode = 1
} finally {
  await endAll()
}
