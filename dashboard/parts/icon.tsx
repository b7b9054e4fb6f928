import type { ReactNode } from 'react'
import styles from './icon.module.css'

/** The paths of the icons, drawn for this product on a square of 16 with lines of 1.5. */
const paths = {
  menu: <path d="M2.5 4.5h11M2.5 8h11M2.5 11.5h11" />,
  search: (
    <>
      <circle cx="7" cy="7" r="4.25" />
      <path d="M10.25 10.25 13.5 13.5" />
    </>
  ),
  chevronDown: <path d="M4.5 6.25 8 9.75l3.5-3.5" />,
  home: <path d="M2.75 7.25 8 2.75l5.25 4.5v6h-3.5v-3.5h-3.5v3.5h-3.5z" />,
  inbox: <path d="M2.75 8.75h3l1 2h2.5l1-2h3M2.75 8.75l2-5.5h6.5l2 5.5v4.5H2.75z" />,
  leads: <path d="M2.75 3.25h10.5L9.5 8.25v4.75l-3-1.5V8.25z" />,
  clients: (
    <path d="M3.25 13.25V3.75l5-1.5v11M8.25 6.25h4.5v7M1.75 13.25h12.5M5.75 6v.01M5.75 8.5v.01M10.5 9v.01" />
  ),
  opportunities: <path d="M2.25 11.5 6 7.75l2.5 2.5 5-5.5M10 4.75h3.5v3.5" />,
  budgets: <path d="M9 2.25H3.75v11.5h8.5V5.5zM9 2.25V5.5h3.25M6.25 8.25h3.5M6.25 10.75h3.5" />,
  invoices: <path d="M3.75 13.5V2.5h8.5v11l-1.75-1-1.25 1L8 12.5l-1.25 1-1.25-1zM6 5.75h4M6 8.5h4" />,
  payments: <path d="M2 4.25h12v7.5H2zM2 7h12M4.5 9.5h2" />,
  reconciliation: <path d="M3 6h10l-2.75-2.75M13 10H3l2.75 2.75" />,
  channels: <path d="M2.5 3.25h11v7.5H7.75l-3 2.5v-2.5H2.5z" />,
  studio: <path d="M8 2.5 13.5 5.5 8 8.5 2.5 5.5zM2.5 8.75 8 11.75l5.5-3" />,
  collections: <path d="M2.25 3.75v8.5h11.5v-6.5H8l-1.5-2z" />,
  marketplace: (
    <path d="M2.25 6.25l1-3.5h9.5l1 3.5a1.9 1.9 0 0 1-3.83 0 1.9 1.9 0 0 1-3.84 0 1.9 1.9 0 0 1-3.83 0zM3.25 8.75v4.5h9.5v-4.5" />
  ),
  applications: <path d="M2.75 2.75h4v4h-4zM9.25 2.75h4v4h-4zM2.75 9.25h4v4h-4zM11.25 9.25v4M9.25 11.25h4" />,
  errors: <path d="M8 2.5 14 13.25H2zM8 6.5v3.25M8 11.5v.01" />,
  deliveries: <path d="M13.5 2.5 7 9M13.5 2.5 9.25 13.5 7 9 2.5 6.75z" />,
  settings: (
    <>
      <path d="M2.5 5h6M11.5 5h2M2.5 11h2M7.5 11h6" />
      <circle cx="10" cy="5" r="1.5" />
      <circle cx="6" cy="11" r="1.5" />
    </>
  ),
  operator: <path d="M8 2.25 13 4v4c0 2.9-2 4.9-5 5.75C5 12.9 3 10.9 3 8V4z" />,
  chevronRight: <path d="M6.25 4.5 9.75 8l-3.5 3.5" />,
  done: (
    <>
      <circle cx="8" cy="8" r="6" fill="currentColor" stroke="none" />
      <path d="M5.4 8.2 7.2 10l3.5-3.8" stroke="var(--on)" />
    </>
  ),
  copy: <path d="M5.75 5.75h7.5v7.5h-7.5zM10.25 5.75v-3h-7.5v7.5h3" />,
  more: <path d="M3.5 8v.01M8 8v.01M12.5 8v.01" strokeWidth="2" />,
  person: (
    <>
      <circle cx="8" cy="5.25" r="2.5" />
      <path d="M3 13.25c.4-2.7 2.3-4.25 5-4.25s4.6 1.55 5 4.25" />
    </>
  ),
  plus: <path d="M8 3.25v9.5M3.25 8h9.5" />,
  minus: <path d="M3.25 8h9.5" />,
  lock: <path d="M3.75 7.25h8.5v6h-8.5zM5.5 7.25V5.5a2.5 2.5 0 0 1 5 0v1.75" />,
  lightning: <path d="M8.75 2.25 3.75 9h3.75l-.75 4.75L12.25 7H8.25z" />,
  check: <path d="M3.25 8.5 6.5 11.5l6.25-7" />,
  hidden: (
    <path d="M2.5 2.5l11 11M6.5 4.2c.5-.1 1-.2 1.5-.2 3 0 5 2.2 6 4-.4.8-1 1.6-1.8 2.3M4.4 5.2C3.3 6 2.5 7 2 8c1 1.8 3 4 6 4 1 0 1.9-.2 2.6-.6" />
  ),
  attachment: (
    <path d="M12.75 7.25 7.75 12.25a2.9 2.9 0 0 1-4.1-4.1l5.25-5.25a1.95 1.95 0 0 1 2.75 2.75L6.5 10.8a.9.9 0 0 1-1.3-1.3l4.3-4.25" />
  ),
  mention: (
    <>
      <circle cx="8" cy="8" r="2.25" />
      <path d="M10.25 5.75v3a1.6 1.6 0 0 0 3.2 0V8A5.45 5.45 0 1 0 11 12.6" />
    </>
  ),
  close: <path d="M4.25 4.25l7.5 7.5M11.75 4.25l-7.5 7.5" />,
  failed: (
    <>
      <circle cx="8" cy="8" r="6" fill="currentColor" stroke="none" />
      <path d="M6 6l4 4M10 6l-4 4" stroke="var(--on)" />
    </>
  ),
  retry: <path d="M13 8A5 5 0 1 1 11.3 4.25M13.25 2.25v2.75H10.5" />,
  clock: (
    <>
      <circle cx="8" cy="8" r="5.5" />
      <path d="M8 5v3.25l2.25 1.25" />
    </>
  ),
  mail: <path d="M2.25 3.75h11.5v8.5H2.25zM2.5 4.25 8 8.75l5.5-4.5" />,
  half: (
    <>
      <circle cx="8" cy="8" r="5.25" />
      <path d="M8 5v6a3 3 0 0 0 0-6z" fill="currentColor" stroke="none" />
    </>
  ),
  file: <path d="M9 2.25H3.75v11.5h8.5V5.5zM9 2.25V5.5h3.25" />,
  circle: <circle cx="8" cy="8" r="5.25" />,
  dashed: <circle cx="8" cy="8" r="5.25" strokeDasharray="2.2 1.92" />,
  chevronUp: <path d="M4.5 9.75 8 6.25l3.5 3.5" />,
  table: <path d="M2.5 3.25h11v9.5h-11zM2.5 6.5h11M6.5 6.5v6.25" />,
  board: <path d="M2.5 3.25h3v9.5h-3zM6.5 3.25h3v6h-3zM10.5 3.25h3v7.5h-3z" />,
  threeQuarters: (
    <>
      <circle cx="8" cy="8" r="5.25" />
      <path d="M8 5a3 3 0 1 1-3 3h3z" fill="currentColor" stroke="none" />
    </>
  ),
  quarter: (
    <>
      <circle cx="8" cy="8" r="5.25" />
      <path d="M8 5.25A2.75 2.75 0 0 1 10.75 8H8z" fill="currentColor" stroke="none" />
    </>
  ),
  chevronLeft: <path d="M9.75 4.5 6.25 8l3.5 3.5" />,
  expand: <path d="M9.5 2.75h3.75V6.5M6.5 13.25H2.75V9.5M13.25 2.75 9.25 6.75M2.75 13.25l4-4" />,
  edit: <path d="M3 13l.75-3 7-7L13 5.25l-7 7zM9.25 4.5l2.25 2.25" />,
  blocked: <path d="M5.6 2.25h4.8l3.35 3.35v4.8l-3.35 3.35H5.6L2.25 10.4V5.6zM8 5.25v3.25M8 10.75v.01" />,
  passkey: (
    <>
      <circle cx="6" cy="5.25" r="2.75" />
      <path d="M1.75 13.25c.3-2.6 2-4 4.25-4 .9 0 1.7.2 2.4.6" />
      <circle cx="11.75" cy="8.25" r="1.75" />
      <path d="M11.75 10v4M11.75 12.25h1.5" />
    </>
  ),
  link: (
    <path d="M6.75 9.25a2.6 2.6 0 0 1 0-3.7l1.8-1.8a2.6 2.6 0 0 1 3.7 3.7l-.9.9M9.25 6.75a2.6 2.6 0 0 1 0 3.7l-1.8 1.8a2.6 2.6 0 0 1-3.7-3.7l.9-.9" />
  ),
  signOut: <path d="M9.75 2.75h-6v10.5h6M6.5 8h7M11 5.25 13.75 8 11 10.75" />,
  info: (
    <>
      <circle cx="8" cy="8" r="5.75" />
      <path d="M8 7.25v3.5M8 5.25v.01" />
    </>
  ),
  trash: <path d="M2.75 4.25h10.5M6 4.25v-1.5h4v1.5M4 4.25l.6 9h6.8l.6-9M6.75 7v3.75M9.25 7v3.75" />,
  download: <path d="M8 2.75v7.5M4.5 7 8 10.5 11.5 7M2.75 13.25h10.5" />,
  people: (
    <>
      <circle cx="6" cy="5.5" r="2.25" />
      <path d="M1.75 13c.3-2.4 1.9-3.75 4.25-3.75S9.95 10.6 10.25 13" />
      <path d="M10.25 3.4a2.25 2.25 0 0 1 0 4.2M12 9.7c1.3.6 2.05 1.7 2.25 3.3" />
    </>
  ),
  audit: <path d="M3.25 2.75h9.5v10.5h-9.5zM5.5 5.75h5M5.5 8h5M5.5 10.25h3" />,
  key: (
    <>
      <circle cx="5.25" cy="10.75" r="2.5" />
      <path d="M7.1 8.9l6.15-6.15M10.5 5.5l2 2" />
    </>
  ),
  device: <path d="M3.25 3.25h9.5v6.5h-9.5zM1.75 12.75h12.5" />,
  keyboard: (
    <path d="M1.75 4.25h12.5v7.5H1.75zM4.25 6.75v.01M6.75 6.75v.01M9.25 6.75v.01M11.75 6.75v.01M5 9.25h6" />
  ),
  thumbUp: (
    <path d="M2.75 7.25h2.5v6h-2.5zM5.25 7.25 8 2.5c1 0 1.6.8 1.4 1.8L9 6.5h3.6c.9 0 1.5.8 1.3 1.6l-1 4.1c-.1.6-.7 1-1.3 1H5.25" />
  ),
  thumbDown: (
    <path d="M2.75 2.75h2.5v6h-2.5zM5.25 8.75 8 13.5c1 0 1.6-.8 1.4-1.8L9 9.5h3.6c.9 0 1.5-.8 1.3-1.6l-1-4.1c-.1-.6-.7-1-1.3-1H5.25" />
  ),
  theme: (
    <>
      <circle cx="8" cy="8" r="5.5" />
      <path d="M8 2.5v11a5.5 5.5 0 0 0 0-11z" fill="currentColor" stroke="none" />
    </>
  ),
  pause: <path d="M5.75 3.5v9M10.25 3.5v9" />,
  hash: <path d="M6.25 2.75 5 13.25M11 2.75 9.75 13.25M3 6h10.5M2.5 10H13" />,
  eye: (
    <>
      <path d="M2 8c1-1.8 3-4 6-4s5 2.2 6 4c-1 1.8-3 4-6 4s-5-2.2-6-4z" />
      <circle cx="8" cy="8" r="1.75" />
    </>
  ),
  arrowUp: <path d="M8 13V3.25M3.75 7.25 8 3l4.25 4.25" />,
  arrowDown: <path d="M8 3v9.75M3.75 8.75 8 13l4.25-4.25" />,
  reply: <path d="M3 3v3.5c0 2 1.2 3.25 3.25 3.25H13M9.75 6.5 13 9.75 9.75 13" />,
  star: <path d="M8 2.25l1.75 3.65 4 .55-2.9 2.8.7 4L8 11.3l-3.55 1.95.7-4-2.9-2.8 4-.55z" />,
  starFull: (
    <path d="M8 2.25l1.75 3.65 4 .55-2.9 2.8.7 4L8 11.3l-3.55 1.95.7-4-2.9-2.8 4-.55z" fill="currentColor" />
  ),
  flag: <path d="M3.75 13.75V2.75h8.5l-1.75 3 1.75 3h-8.5" />,
} satisfies Record<string, ReactNode>

export type IconName = keyof typeof paths

/** A decorative icon; the words beside it, or the label of its button, say the same. */
export function Icon({ name, className = '' }: { name: IconName; className?: string }) {
  return (
    <svg className={`${styles.icon} ${className}`} viewBox="0 0 16 16" aria-hidden="true" focusable="false">
      {paths[name]}
    </svg>
  )
}
