import { Status } from '../../parts/status.tsx'
import { useWords, words } from '../../words/words.ts'
import styles from '../integrations.module.css'
import type { DeliveryStatus as State } from './delivery.ts'

export const deliveryStatusTexts = words({
  es: {
    PENDING: 'En espera',
    DELIVERED: 'Entregada',
    FAILED: 'Fallida',
    NOT_AUTHORIZED: 'Sin permiso',
    CANCELLED: 'Cancelada',
  },
  en: {
    PENDING: 'Waiting',
    DELIVERED: 'Delivered',
    FAILED: 'Failed',
    NOT_AUTHORIZED: 'Not authorized',
    CANCELLED: 'Cancelled',
  },
})
export const outcomeTexts = words({
  es: {
    DELIVERED: 'Entregada',
    HTTP_STATUS: 'Respuesta',
    REDIRECT: 'Redirección',
    TIMEOUT: 'Sin respuesta a tiempo',
    CONNECT: 'Sin conexión',
    DNS: 'Nombre desconocido',
    TLS: 'Certificado no válido',
    RESET: 'Conexión cortada',
    BLOCKED_ADDRESS: 'Dirección bloqueada',
    INTERNAL: 'Fallo de este servidor',
  },
  en: {
    DELIVERED: 'Delivered',
    HTTP_STATUS: 'Answer',
    REDIRECT: 'Redirect',
    TIMEOUT: 'Timeout',
    CONNECT: 'No connection',
    DNS: 'Unknown name',
    TLS: 'Invalid certificate',
    RESET: 'Connection reset',
    BLOCKED_ADDRESS: 'Blocked address',
    INTERNAL: 'Fault of this server',
  },
})
const looks = {
  PENDING: { icon: 'clock', kind: 'warn' },
  DELIVERED: { icon: 'done', kind: 'done' },
  FAILED: { icon: 'failed', kind: 'danger' },
  NOT_AUTHORIZED: { icon: 'lock', kind: 'warn' },
  CANCELLED: { icon: 'dashed', kind: 'quiet' },
} as const

/** The state of a delivery. */
export function DeliveryStatus({ status }: { status: State }) {
  const text = useWords(deliveryStatusTexts)
  return <Status {...looks[status]}>{text[status]}</Status>
}

/** The result of an attempt in a word: the status of the answer, or why there was none. */
export function OutcomeText({ outcome, status }: { outcome: string | null; status: number | null }) {
  const text = useWords(outcomeTexts)
  if (status !== null) return <code className={styles.code}>{status}</code>
  if (outcome === null) return null
  return outcome in text ? text[outcome as keyof typeof text] : outcome
}
