import type { Services } from '#platform/services.ts'
import type { Config } from '#server/config.ts'

/** The producer that tax records name, and the host that receives them if the server sends them. */
type TaxRecordProducer = { producerName: string; producerNif: string; sendsTo?: string }

declare module '#platform/services.ts' {
  interface Services {
    /** Undefined: the server writes no tax records. */
    readonly taxRecords?: TaxRecordProducer
  }
}

export function taxRecordService({ taxRecords }: Pick<Config, 'taxRecords'>): Pick<Services, 'taxRecords'> {
  if (!taxRecords) return {}
  const { producerName, producerNif, office } = taxRecords
  return {
    taxRecords: { producerName, producerNif, ...(office && { sendsTo: new URL(office.url).host }) },
  }
}
