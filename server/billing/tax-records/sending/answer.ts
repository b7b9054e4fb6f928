import { XMLParser } from 'fast-xml-parser'
import type { TaxRecordState } from '#contract/billing/tax-records.ts'

/** The answer to one record. */
export type RecordAnswer = {
  state: Exclude<TaxRecordState, 'PENDING'>
  errorCode: string | null
  errorText: string | null
  /** The tax office already has this record, in this state; null if it does not. */
  duplicateOf: 'ACCEPTED' | 'ACCEPTED_WITH_ERRORS' | null
}
export type OfficeAnswer = {
  /** The secure verification code; a message that was wholly rejected has none. */
  csv: string | null
  /** The time before which no further message is accepted. */
  waitSeconds: number
  /** By the reference of the record. */
  records: Map<string, RecordAnswer>
}

/** The office refused the message itself, or answered something else. */
export class UnreadableAnswer extends Error {}

const defaultWaitSeconds = 60
const mostWaitSeconds = 24 * 3_600
const states: Record<string, RecordAnswer['state']> = {
  Correcto: 'ACCEPTED',
  AceptadoConErrores: 'ACCEPTED_WITH_ERRORS',
  Incorrecto: 'REJECTED',
}
const duplicateStates: Record<string, RecordAnswer['duplicateOf']> = {
  Correcta: 'ACCEPTED',
  AceptadaConErrores: 'ACCEPTED_WITH_ERRORS',
  // registered, and cancelled since
  Anulada: 'ACCEPTED',
}
const parser = new XMLParser({
  removeNSPrefix: true,
  parseTagValue: false,
  ignoreAttributes: true,
  isArray: name => name === 'RespuestaLinea',
})

type Line = {
  RefExterna?: string
  EstadoRegistro?: string
  CodigoErrorRegistro?: string
  DescripcionErrorRegistro?: string
  RegistroDuplicado?: { EstadoRegistroDuplicado?: string }
}
type Parsed = {
  Envelope?: {
    Body?: {
      Fault?: { faultstring?: string }
      RespuestaRegFactuSistemaFacturacion?: {
        CSV?: string
        TiempoEsperaEnvio?: string
        RespuestaLinea?: Line[]
      }
    }
  }
}

/** Reads the answer of the tax office. Throws UnreadableAnswer for a fault and for anything else. */
export function readAnswer({ status, body }: { status: number; body: string }): OfficeAnswer {
  const { Fault: fault, RespuestaRegFactuSistemaFacturacion: answer } = parse(body).Envelope?.Body ?? {}
  if (!answer) throw new UnreadableAnswer(fault?.faultstring ?? `An answer with the status ${status}`)
  const wait = Number(answer.TiempoEsperaEnvio)
  const records = (answer.RespuestaLinea ?? []).flatMap((line): [string, RecordAnswer][] => {
    const state = states[line.EstadoRegistro ?? '']
    if (!state || !line.RefExterna) return []
    const answered = {
      state,
      errorCode: line.CodigoErrorRegistro || null,
      errorText: line.DescripcionErrorRegistro || null,
      duplicateOf: duplicateStates[line.RegistroDuplicado?.EstadoRegistroDuplicado ?? ''] ?? null,
    }
    return [[line.RefExterna, answered]]
  })
  return {
    csv: answer.CSV || null,
    waitSeconds: wait > 0 ? Math.min(wait, mostWaitSeconds) : defaultWaitSeconds,
    records: new Map(records),
  }
}

function parse(body: string): Parsed {
  try {
    return parser.parse(body) as Parsed
  } catch {
    throw new UnreadableAnswer('An answer that is not XML')
  }
}
