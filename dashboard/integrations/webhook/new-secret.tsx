import { useEffect, useRef } from 'react'
import { Button } from '../../parts/button.tsx'
import { Code } from '../../parts/code.tsx'
import { Actions } from '../../parts/dialog.tsx'
import { Secret } from '../../parts/secret.tsx'
import { useWords } from '../../words/words.ts'
import styles from '../integrations.module.css'
import fieldStyles from './event-field.module.css'
import { webhookFormTexts } from './webhook-form.words.ts'

const verification = `import { createHmac, timingSafeEqual } from 'node:crypto'

function isFromPatio(headers, rawBody, secret) {
  const signed = headers['x-service-timestamp'] + '.' + rawBody
  const expected = 'sha256=' + createHmac('sha256', secret).update(signed).digest('hex')
  const given = String(headers['x-service-signature'])
  return given.length === expected.length
    && timingSafeEqual(Buffer.from(given), Buffer.from(expected))
}`

/** A secret of a webhook, shown once, and how a receiver uses it. */
export function NewSecret({ secret, onDone }: { secret: string; onDone: () => void }) {
  const text = useWords(webhookFormTexts)
  const group = useRef<HTMLDivElement>(null)
  // the form that had the focus is gone
  useEffect(() => group.current?.focus(), [])
  return (
    <>
      <div ref={group} tabIndex={-1} className={fieldStyles.secret}>
        <Secret label={text.secret} value={secret} fileName="patio-webhook-secret.txt" />
      </div>
      <div className={styles.tight}>
        <h3 className={styles.title}>{text.verify}</h3>
        <p className={styles.quiet}>{text.verifyAbout}</p>
        <Code text={verification} label={text.verifyCode} />
      </div>
      <Actions>
        <Button kind="primary" onPress={onDone}>
          {text.done}
        </Button>
      </Actions>
    </>
  )
}
