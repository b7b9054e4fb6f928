import type { LeadStatus as StatusOfLead, Temperature } from '#contract/crm/shapes.ts'
import type { IconName } from '../../parts/icon.tsx'
import { Status, type StatusKind } from '../../parts/status.tsx'
import { useWords } from '../../words/words.ts'
import { statusTexts, temperatureTexts } from './lead.words.ts'

const statusIcons: Readonly<Record<StatusOfLead, { icon: IconName; kind?: StatusKind }>> = {
  NEW: { icon: 'dashed' },
  CONTACTED: { icon: 'quarter' },
  QUALIFIED: { icon: 'half' },
  NEGOTIATING: { icon: 'threeQuarters', kind: 'done' },
  LOST: { icon: 'blocked', kind: 'quiet' },
  WON: { icon: 'done', kind: 'done' },
}

/** The status of a lead: an icon that fills, and a word. */
export function LeadStatus({ status }: { status: StatusOfLead }) {
  const text = useWords(statusTexts)
  return <Status {...statusIcons[status]}>{text[status]}</Status>
}

const temperatureIcons: Readonly<Record<Temperature, { icon: IconName; kind?: StatusKind }>> = {
  COLD: { icon: 'circle', kind: 'quiet' },
  WARM: { icon: 'half' },
  HOT: { icon: 'lightning', kind: 'warn' },
}

/** How warm a lead is. */
export function LeadTemperature({ temperature }: { temperature: Temperature }) {
  const text = useWords(temperatureTexts)
  return <Status {...temperatureIcons[temperature]}>{text[temperature]}</Status>
}
