import { useState } from 'react'
import {
  readSealCertificate,
  removeSealCertificate,
  type SealCertificate,
  uploadSealCertificate,
} from '#contract/crm/seals.ts'
import { ConfirmAction } from '../../data/confirm-action.tsx'
import { textOfError } from '../../data/errors.ts'
import { useMay } from '../../data/organization.tsx'
import { useRead } from '../../data/read.ts'
import { Button } from '../../parts/button.tsx'
import { Facts } from '../../parts/facts.tsx'
import { late } from '../../parts/late.tsx'
import { Section } from '../../parts/page.tsx'
import { Notice, Problem, Skeleton } from '../../parts/states.tsx'
import { Status } from '../../parts/status.tsx'
import { Time } from '../../parts/time.tsx'
import { useLanguage, useWords } from '../../words/words.ts'
import { sealSettingsTexts } from './seal.words.ts'
import styles from './settings.module.css'

const UploadSealDialog = late(() => import('./upload-seal-dialog.tsx').then(file => file.UploadSealDialog))

/** The certificate that seals signed budgets (SEAL-1, SEAL-2). Its key is written and never shown. */
export function SealCertificateSection() {
  const text = useWords(sealSettingsTexts)
  const language = useLanguage()
  const may = useMay()
  const [open, setOpen] = useState<'upload' | 'remove'>()
  const { data, error } = useRead(readSealCertificate, undefined, { staleMs: 0 })
  const certificate = data?.certificate
  return (
    <Section
      title={text.seal}
      about={text.sealAbout}
      actions={
        <>
          {may(uploadSealCertificate) && data && (
            <Button onPress={() => setOpen('upload')} onHoverStart={UploadSealDialog.preload}>
              {certificate ? text.replace : text.upload}
            </Button>
          )}
          {may(removeSealCertificate) && certificate && (
            <Button kind="danger" onPress={() => setOpen('remove')}>
              {text.remove}
            </Button>
          )}
        </>
      }
    >
      {!data && !error && <Skeleton rows={3} label={text.reading} />}
      {error && <Problem title={textOfError(error, language)} />}
      {data && <Certificate data={data} />}
      {open === 'upload' && (
        <UploadSealDialog isReplacing={Boolean(certificate)} onClose={() => setOpen(undefined)} />
      )}
      {open === 'remove' && certificate && (
        <RemoveDialog subject={certificate.subject} onClose={() => setOpen(undefined)} />
      )}
    </Section>
  )
}

function Certificate({ data: { certificate, waiting } }: { data: SealCertificate }) {
  const text = useWords(sealSettingsTexts)
  const isMissing = !certificate?.isValid
  return (
    <>
      {certificate && isMissing && (
        <div className={styles.note}>
          <Notice kind="warn">{text.expiredAbout}</Notice>
        </div>
      )}
      {waiting > 0 && (
        <div className={styles.note}>
          <Notice kind={isMissing ? 'warn' : 'info'}>{text.waiting(waiting)}</Notice>
        </div>
      )}
      {!certificate && <p>{text.noCertificate}</p>}
      {certificate && (
        <Facts
          facts={[
            {
              term: text.state,
              value: (
                <Status
                  icon={certificate.isValid ? 'done' : 'failed'}
                  kind={certificate.isValid ? 'done' : 'danger'}
                >
                  {certificate.isValid ? text.valid : text.notValid}
                </Status>
              ),
            },
            { term: text.subject, value: certificate.subject },
            { term: text.issuer, value: certificate.issuer },
            { term: text.serialNumber, value: certificate.serialNumber },
            { term: text.validFrom, value: <Time value={certificate.validFrom} form="moment" /> },
            { term: text.validUntil, value: <Time value={certificate.validUntil} form="moment" /> },
            { term: text.uploadedAt, value: <Time value={certificate.uploadedAt} form="moment" /> },
          ]}
        />
      )}
    </>
  )
}

function RemoveDialog({ subject, onClose }: { subject: string; onClose: () => void }) {
  const text = useWords(sealSettingsTexts)
  return (
    <ConfirmAction
      operation={removeSealCertificate}
      input={{}}
      refreshes={[readSealCertificate]}
      title={text.removeQuestion(subject)}
      action={text.removeAction}
      isDangerous
      onClose={onClose}
      toast={() => text.removed}
    >
      {text.removeAbout}
    </ConfirmAction>
  )
}
