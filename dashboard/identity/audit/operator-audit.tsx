import { useSearch } from '@tanstack/react-router'
import { Notice } from '../../parts/states.tsx'
import { useWords, words } from '../../words/words.ts'
import styles from './audit.module.css'
import { AuditLog } from './audit.tsx'

const texts = words({
  es: {
    title: 'Auditoría de operadores',
    about:
      'El registro de la organización de los operadores. Lo que un operador cambia en otra organización queda en el registro de esa organización y lo lee su propietario.',
  },
  en: {
    title: 'Audit of operators',
    about:
      'The log of the organization of the operators. What an operator changes in another organization is in the log of that organization, where its owner reads it.',
  },
})

/** The audit log of the organization of the operators: operators and people without an organization (AUD-6). */
export function OperatorAudit() {
  const text = useWords(texts)
  const search = useSearch({ from: '/operator/audit' })
  return (
    <AuditLog
      title={text.title}
      search={search}
      about={
        <div className={styles.note}>
          <Notice>{text.about}</Notice>
        </div>
      }
    />
  )
}
