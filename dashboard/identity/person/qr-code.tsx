import { create } from 'qrcode'
import styles from './qr-code.module.css'

/** A QR code as one path, drawn in the browser: the secret goes to no other server. */
export default function QrCode({ text, label }: { text: string; label: string }) {
  const { modules } = create(text, { errorCorrectionLevel: 'M' })
  const quiet = 4
  const size = modules.size + 2 * quiet
  const path = Array.from({ length: modules.size ** 2 }, (_, at) => at)
    .filter(at => modules.data[at])
    .map(at => `M${(at % modules.size) + quiet} ${Math.floor(at / modules.size) + quiet}h1v1h-1z`)
    .join('')
  return (
    <svg viewBox={`0 0 ${size} ${size}`} className={styles.code} role="img" aria-label={label}>
      <rect width={size} height={size} className={styles.ground} />
      <path d={path} className={styles.modules} />
    </svg>
  )
}
