import { ZipFile } from 'yazl'
import { bounds } from '../claims.ts'
import type { BenchEnvironment } from '../environment.ts'
import { wordsOf } from '../names.ts'
import { tokensOf } from '../people.ts'
import type { Figure } from '../report.ts'
import { processorMs } from '../rounds.ts'
import { median, quotients, short, spread } from '../statistics.ts'
import { assets } from './requests.ts'

const skillsOfARound = 100
const filesOfASkill = 10
const bytesOfAFile = 10 * 1024

type File = { path: string; content: Buffer }

/** A typical skill of ten files and 100 KiB: import and export, one request after the other. */
export async function packages(environment: BenchEnvironment): Promise<Figure[]> {
  const organization = await environment.organization('busy', 10_000)
  const [token = ''] = await tokensOf(organization)
  const headers = { Authorization: `Bearer ${token}` }
  const url = `http://127.0.0.1:${environment.api.port}${assets}`
  const into: number[] = []
  const processors: number[] = []
  const out: number[] = []
  const plain: number[] = []
  for (let round = 0; round <= environment.size.rounds; round++) {
    const skills = Array.from({ length: skillsOfARound }, (_, n) => skill(round * skillsOfARound + n))
    const imported: number[] = []
    const ids: string[] = []
    const before = processorMs(environment.api.pid)
    for (const files of skills) {
      const body = new FormData()
      body.append('file', new Blob([new Uint8Array(await zipped(files))]), 'skill.zip')
      const [ms, answer] = await timed(() => fetch(`${url}/import`, { method: 'POST', headers, body }))
      if (answer.status !== 201) throw new Error(answer.text)
      ids.push(JSON.parse(answer.text).id)
      imported.push(ms)
    }
    const processor = (processorMs(environment.api.pid) - before) / skillsOfARound
    await environment.settled()
    const exported: number[] = []
    for (const id of ids) exported.push((await timed(() => fetch(`${url}/${id}/export`, { headers })))[0])
    const alone: number[] = []
    for (const files of skills) {
      const start = performance.now()
      await zipped(files)
      alone.push(performance.now() - start)
    }
    // the first round warms up
    if (round === 0) continue
    into.push(median(imported))
    processors.push(processor)
    out.push(median(exported))
    plain.push(median(alone))
  }
  const ms = (values: number[]) => `${short(median(values))} ms`
  return [
    {
      name: 'import',
      value: spread(into.map(one => one / bounds.importMs)),
      raw: [`product ${ms(into)}, processor ${ms(processors)} each`],
    },
    {
      name: 'export',
      value: spread(quotients(out, plain)),
      raw: [`product ${ms(out)}, the library ${ms(plain)}`],
    },
  ]
}

async function timed(
  ask: () => Promise<Response>,
): Promise<[ms: number, answer: { status: number; text: string }]> {
  const start = performance.now()
  const response = await ask()
  const text = await response.text()
  return [performance.now() - start, { status: response.status, text }]
}

/** The files of the `n`-th skill: no two have the same text. */
function skill(n: number): File[] {
  const name = `${wordsOf(n).join('-')}-${n}`
  const head = `---\nname: ${name}\ndescription: Does ${wordsOf(n).join(' ')}. Use when that is asked for.\n---\n\n`
  return Array.from({ length: filesOfASkill }, (_, file) => ({
    path: file === 0 ? `${name}/SKILL.md` : `${name}/references/part-${file}.md`,
    content: Buffer.from(
      `${file === 0 ? head : ''}${prose(n * filesOfASkill + file)}`.slice(0, bytesOfAFile),
    ),
  }))
}

function prose(seed: number): string {
  const lines: string[] = []
  for (let length = 0, n = seed * 1_000; length < bytesOfAFile; n++) {
    const line = `${n}: ${wordsOf(n * 7_919).join(' ')}.`
    lines.push(line)
    length += line.length + 1
  }
  return lines.join('\n')
}

async function zipped(files: readonly File[]): Promise<Buffer> {
  const zip = new ZipFile()
  for (const { path, content } of files) zip.addBuffer(content, path)
  zip.end()
  const chunks: Buffer[] = []
  for await (const chunk of zip.outputStream) chunks.push(chunk as Buffer)
  return Buffer.concat(chunks)
}
