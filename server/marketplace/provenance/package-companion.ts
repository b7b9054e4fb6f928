import Ajv from 'ajv'
import { Provenance } from '#contract/marketplace/provenance.ts'
import type { ExtraFile } from '#server/studio/index.ts'
import { originOf } from './provenance.sql.ts'
import { showProvenance } from './statement.ts'

/** The file in the package of an installed copy with its provenance. */
export const provenancePath = 'provenance.json'

const check = new Ajv.default({ strict: false, validateFormats: false }).compile<Provenance>(Provenance)

/** Reads a signed statement from JSON text or a value; undefined if it is not one. */
export function readProvenance(value: unknown): Provenance | undefined {
  try {
    const read = typeof value === 'string' ? JSON.parse(value) : value
    return check(read) ? read : undefined
  } catch {
    return undefined
  }
}

/** Adds the provenance statement of a version to its package. */
export const provenanceCompanion: ExtraFile = {
  path: provenancePath,
  async write(db, { versionId }) {
    const signedStatement = await originOf(db, versionId)
    return signedStatement && `${JSON.stringify(showProvenance(signedStatement), null, 2)}\n`
  },
  isOurs: text => readProvenance(text) !== undefined,
}
