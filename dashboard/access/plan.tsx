import { useWords, words } from '../words/words.ts'
import styles from './plan.module.css'

const texts = words({
  es: {
    studio: 'Estudio',
    marketplace: 'Mercado',
    chat: 'Chat',
    leads: 'Leads',
    clients: 'Clientes',
    budgets: 'Presupuestos',
    invoices: 'Facturas',
    payments: 'Pagos',
    webhooks: 'Webhooks',
    audit: 'Auditoría',
    errors: 'Errores',
  },
  en: {
    studio: 'Studio',
    marketplace: 'Marketplace',
    chat: 'Chat',
    leads: 'Leads',
    clients: 'Clients',
    budgets: 'Budgets',
    invoices: 'Invoices',
    payments: 'Payments',
    webhooks: 'Webhooks',
    audit: 'Audit',
    errors: 'Errors',
  },
})

/** The rooms of the plan: where each name stands. */
const rooms = [
  { name: 'studio', x: 60, y: 70 },
  { name: 'marketplace', x: 216, y: 70 },
  { name: 'chat', x: 336, y: 70 },
  { name: 'leads', x: 500, y: 70 },
  { name: 'clients', x: 60, y: 300 },
  { name: 'budgets', x: 60, y: 348 },
  { name: 'invoices', x: 500, y: 320 },
  { name: 'payments', x: 500, y: 368 },
  { name: 'webhooks', x: 60, y: 580 },
  { name: 'audit', x: 216, y: 580 },
  { name: 'errors', x: 500, y: 580 },
] as const

/** The plan of a patio: the areas of the product around one court. Decorative. */
export function Plan() {
  const text = useWords(texts)
  return (
    <svg viewBox="0 0 640 640" className={styles.plan} focusable="false" aria-hidden="true">
      <path className={styles.outside} d="M292 600H40V40h560v560H348" />
      <path
        className={styles.walls}
        d="M200 40v52M200 132v68M320 40v160M440 40v68M440 148v52M40 200h40M120 200h132M292 200h56M388 200h92M520 200h80M200 200v40M200 280v100M200 420v20M440 200v60M440 300v80M440 420v20M40 320h160M440 340h160M40 440h72M152 440h140M348 440h132M520 440h80M200 440v52M200 532v68M440 440v52M440 532v68"
      />
      <path
        className={styles.doors}
        d="M200 92h-40a40 40 0 0 0 40 40M440 108h40a40 40 0 0 1-40 40M120 200v40a40 40 0 0 1-40-40M480 200v40a40 40 0 0 0 40-40M252 200v-40a40 40 0 0 1 40 40M388 200v-40a40 40 0 0 0-40 40M200 240h-40a40 40 0 0 0 40 40M200 420h-40a40 40 0 0 1 40-40M440 260h40a40 40 0 0 1-40 40M440 420h40a40 40 0 0 0-40-40M112 440v40a40 40 0 0 0 40-40M520 440v40a40 40 0 0 1-40-40M292 600v-56a56 56 0 0 1 56 56"
      />
      <path
        className={styles.tiles}
        d="M232 232h176v176H232zM232 276h176M232 320h176M232 364h176M276 232v176M320 232v176M364 232v176"
      />
      <path
        className={styles.fountain}
        d="M299.3 270.1h41.4l29.2 29.2v41.4l-29.2 29.2h-41.4l-29.2-29.2v-41.4z"
      />
      <circle className={styles.fountain} cx="320" cy="320" r="20" />
      <circle className={styles.source} cx="320" cy="320" r="3" />
      {rooms.map(({ name, x, y }) => (
        <text key={name} x={x} y={y} className={styles.room}>
          {text[name]}
        </text>
      ))}
    </svg>
  )
}
