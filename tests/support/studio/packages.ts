import type { Reply } from '#contract/operation.ts'
import { exportAsset, type ImportReport, importAsset } from '#contract/studio/packages.ts'
import type { Answer } from '#sdk/client.ts'
import type { Person } from '../test-server.ts'
import { zipOfFiles } from './zip.ts'

type Bytes = Buffer | Uint8Array
type ImportedAsset = Exclude<Reply<typeof importAsset>, ImportReport>
type RefusalBody = {
  statusCode: number
  errorCode?: string
  details?: { path: string; code: string; message: string }[]
}

/** A form with one package. */
export function packageForm(zip: Bytes): FormData {
  const form = new FormData()
  form.append('file', new Blob([new Uint8Array(zip)]), 'package.zip')
  return form
}

/** Imports a package and returns the whole response. */
export function sendPackage(person: Person, zip: Bytes): Promise<Answer<ImportedAsset & RefusalBody>> {
  return person.send(importAsset, { form: packageForm(zip) }) as Promise<Answer<ImportedAsset & RefusalBody>>
}

/** Imports a package of these files or bytes. */
export async function importPackage(
  person: Person,
  input: Record<string, string | Buffer> | Uint8Array,
): Promise<ImportedAsset> {
  const zip = input instanceof Uint8Array ? input : zipOfFiles(input)
  return (await person.call(importAsset, { form: packageForm(zip) })) as ImportedAsset
}

/** The report of a dry run. */
export async function reportOf(
  person: Person,
  input: Record<string, string | Buffer> | Uint8Array,
): Promise<ImportReport> {
  const zip = input instanceof Uint8Array ? input : zipOfFiles(input)
  return (await person.call(importAsset, { query: { dryRun: true }, form: packageForm(zip) })) as ImportReport
}

type Options = {
  version?: string
  layout?: 'wrapped' | 'flat'
  profile?: 'agent-skills' | 'claude-code'
  sidecar?: boolean
}

/** Exports a package and returns its bytes. */
export async function exportPackage(person: Person, id: string, query: Options = {}): Promise<Buffer> {
  const response = await person.send(exportAsset, { params: { id }, query })
  if (response.status !== 200) throw new Error(response.text)
  return Buffer.from(response.bytes)
}
