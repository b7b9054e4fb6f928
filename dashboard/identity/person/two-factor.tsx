import { useQueryClient } from '@tanstack/react-query'
import { lazy, Suspense, useState } from 'react'
import {
  confirmTwoFactor,
  makeBackupCodes,
  startTwoFactor,
  stopTwoFactor,
  type TwoFactorSetup,
} from '../../data/account.ts'
import { ActionForm } from '../../data/action-form.tsx'
import { Button } from '../../parts/button.tsx'
import { Actions, Dialog } from '../../parts/dialog.tsx'
import { TextField } from '../../parts/field.tsx'
import { FormActions } from '../../parts/form-actions.tsx'
import { Section } from '../../parts/page.tsx'
import { Secret } from '../../parts/secret.tsx'
import { Status } from '../../parts/status.tsx'
import { useWords } from '../../words/words.ts'
import styles from './person.module.css'
import { personTexts } from './person.words.ts'

const QrCode = lazy(() => import('./qr-code.tsx'))

/** The change before which a password is asked for. */
type Purpose = 'turn-on' | 'turn-off' | 'backup-codes'
type Step =
  | { kind: 'closed' }
  | { kind: 'password'; purpose: Purpose }
  | { kind: 'scan'; setup: TwoFactorSetup }
  | { kind: 'codes'; codes: readonly string[] }

/** One-time codes: turned on step by step (password, code of the authenticator, backup codes), and off. */
export function TwoFactor({ isOn }: { isOn: boolean | undefined }) {
  const text = useWords(personTexts)
  const cache = useQueryClient()
  const [step, setStep] = useState<Step>({ kind: 'closed' })
  const close = () => setStep({ kind: 'closed' })
  const ask = (purpose: Purpose) => setStep({ kind: 'password', purpose })
  const readAgain = () => cache.invalidateQueries({ queryKey: ['account'] })

  async function continueWith(password: string, purpose: Purpose): Promise<void> {
    if (purpose === 'turn-on') return setStep({ kind: 'scan', setup: await startTwoFactor(password) })
    if (purpose === 'backup-codes') return setStep({ kind: 'codes', codes: await makeBackupCodes(password) })
    await stopTwoFactor(password)
    await readAgain()
    close()
  }
  async function confirm(code: string, { backupCodes }: TwoFactorSetup): Promise<void> {
    await confirmTwoFactor(code)
    await readAgain()
    setStep({ kind: 'codes', codes: backupCodes })
  }

  return (
    <Section title={text.codes} about={text.codesAbout}>
      {isOn !== undefined && <TwoFactorState isOn={isOn} onAsk={ask} />}
      <Dialog
        title={
          step.kind === 'codes'
            ? text.backupTitle
            : step.kind === 'password' && step.purpose === 'turn-off'
              ? text.turnOffQuestion
              : text.codes
        }
        isOpen={step.kind !== 'closed'}
        onClose={close}
        size="small"
        isDismissable={step.kind !== 'codes'}
      >
        {step.kind === 'password' && (
          <PasswordForm
            purpose={step.purpose}
            onSubmit={password => continueWith(password, step.purpose)}
            onLeave={close}
          />
        )}
        {step.kind === 'scan' && (
          <ScanForm address={step.setup.totpURI} onSubmit={code => confirm(code, step.setup)} />
        )}
        {step.kind === 'codes' && <BackupCodes codes={step.codes} onDone={close} />}
      </Dialog>
    </Section>
  )
}

/** Whether codes are asked for, and the buttons that change it. */
function TwoFactorState({ isOn, onAsk }: { isOn: boolean; onAsk: (purpose: Purpose) => void }) {
  const text = useWords(personTexts)
  return (
    <div className={styles.state}>
      <Status icon={isOn ? 'done' : 'dashed'} kind={isOn ? 'done' : 'quiet'}>
        {isOn ? text.codesOn : text.codesOff}
      </Status>
      <div className={styles.buttons}>
        {isOn ? (
          <>
            <Button kind="danger" onPress={() => onAsk('turn-off')}>
              {text.turnOff}
            </Button>
            <Button onPress={() => onAsk('backup-codes')}>{text.newBackupCodes}</Button>
          </>
        ) : (
          <Button onPress={() => onAsk('turn-on')}>{text.turnOn}</Button>
        )}
      </div>
    </div>
  )
}

/** Asks for the password before something changes. */
function PasswordForm({
  purpose,
  onSubmit,
  onLeave,
}: {
  purpose: Purpose
  onSubmit: (password: string) => Promise<void>
  onLeave: () => void
}) {
  const text = useWords(personTexts)
  return (
    <ActionForm onSubmit={({ password = '' }) => onSubmit(password)}>
      {({ isBusy }) => (
        <>
          {purpose === 'turn-off' && <p>{text.turnOffAbout}</p>}
          {purpose === 'backup-codes' && <p>{text.newBackupAbout}</p>}
          <TextField
            name="password"
            type="password"
            label={text.confirmPassword}
            isRequired
            autoComplete="current-password"
          />
          <FormActions
            onLeave={onLeave}
            action={text.next}
            kind={purpose === 'turn-off' ? 'danger' : 'primary'}
            isBusy={isBusy}
          />
        </>
      )}
    </ActionForm>
  )
}

/** The secret for the authenticator, as a picture and to type, and the field for the first code that it shows. */
function ScanForm({ address, onSubmit }: { address: string; onSubmit: (code: string) => Promise<void> }) {
  const text = useWords(personTexts)
  return (
    <ActionForm onSubmit={({ code = '' }) => onSubmit(code.replace(/\s/g, ''))}>
      {({ isBusy }) => (
        <>
          <div className={styles.code}>
            <p>{text.scan}</p>
            <Suspense>
              <QrCode text={address} label={text.scan} />
            </Suspense>
            <p>{text.orType}</p>
            <code className={styles.key}>{new URL(address).searchParams.get('secret')}</code>
          </div>
          <TextField
            name="code"
            label={text.code}
            isRequired
            autoComplete="one-time-code"
            inputMode="numeric"
          />
          <Actions>
            <Button type="submit" kind="primary" isBusy={isBusy}>
              {text.confirm}
            </Button>
          </Actions>
        </>
      )}
    </ActionForm>
  )
}

/** The backup codes, which are shown once. */
function BackupCodes({ codes, onDone }: { codes: readonly string[]; onDone: () => void }) {
  const text = useWords(personTexts)
  return (
    <>
      <p>{text.backupAbout}</p>
      <Secret label={text.backupTitle} value={codes.join('\n')} fileName="patio-backup-codes.txt" />
      <Actions>
        <Button kind="primary" onPress={onDone}>
          {text.done}
        </Button>
      </Actions>
    </>
  )
}
