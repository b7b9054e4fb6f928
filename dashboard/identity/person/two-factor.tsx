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

type Step =
  | { kind: 'closed' }
  | { kind: 'password'; next: 'turn-on' | 'turn-off' | 'backup-codes' }
  | { kind: 'scan'; setup: TwoFactorSetup }
  | { kind: 'codes'; codes: readonly string[] }

/** One-time codes: turned on step by step (password, code of the authenticator, backup codes), and off. */
export function TwoFactor({ isOn }: { isOn: boolean | undefined }) {
  const text = useWords(personTexts)
  const cache = useQueryClient()
  const [step, setStep] = useState<Step>({ kind: 'closed' })
  const close = () => setStep({ kind: 'closed' })

  async function continueWith(
    password: string,
    next: 'turn-on' | 'turn-off' | 'backup-codes',
  ): Promise<void> {
    if (next === 'turn-on') return setStep({ kind: 'scan', setup: await startTwoFactor(password) })
    if (next === 'backup-codes') return setStep({ kind: 'codes', codes: await makeBackupCodes(password) })
    await stopTwoFactor(password)
    await cache.invalidateQueries({ queryKey: ['account'] })
    close()
  }

  return (
    <Section title={text.codes} about={text.codesAbout}>
      {isOn !== undefined && (
        <div className={styles.state}>
          <Status icon={isOn ? 'done' : 'dashed'} kind={isOn ? 'done' : 'quiet'}>
            {isOn ? text.codesOn : text.codesOff}
          </Status>
          <div className={styles.buttons}>
            {isOn ? (
              <>
                <Button kind="danger" onPress={() => setStep({ kind: 'password', next: 'turn-off' })}>
                  {text.turnOff}
                </Button>
                <Button onPress={() => setStep({ kind: 'password', next: 'backup-codes' })}>
                  {text.newBackupCodes}
                </Button>
              </>
            ) : (
              <Button onPress={() => setStep({ kind: 'password', next: 'turn-on' })}>{text.turnOn}</Button>
            )}
          </div>
        </div>
      )}
      <Dialog
        title={
          step.kind === 'codes'
            ? text.backupTitle
            : step.kind === 'password' && step.next === 'turn-off'
              ? text.turnOffQuestion
              : text.codes
        }
        isOpen={step.kind !== 'closed'}
        onClose={close}
        size="small"
        isDismissable={step.kind !== 'codes'}
      >
        {step.kind === 'password' && (
          <ActionForm onSubmit={({ password = '' }) => continueWith(password, step.next)}>
            {({ isBusy }) => (
              <>
                {step.next === 'turn-off' && <p>{text.turnOffAbout}</p>}
                {step.next === 'backup-codes' && <p>{text.newBackupAbout}</p>}
                <TextField
                  name="password"
                  type="password"
                  label={text.confirmPassword}
                  isRequired
                  autoComplete="current-password"
                />
                <FormActions
                  onLeave={close}
                  action={text.next}
                  kind={step.next === 'turn-off' ? 'danger' : 'primary'}
                  isBusy={isBusy}
                />
              </>
            )}
          </ActionForm>
        )}
        {step.kind === 'scan' && (
          <ActionForm
            onSubmit={async ({ code = '' }) => {
              await confirmTwoFactor(code.replace(/\s/g, ''))
              await cache.invalidateQueries({ queryKey: ['account'] })
              setStep({ kind: 'codes', codes: step.setup.backupCodes })
            }}
          >
            {({ isBusy }) => (
              <>
                <div className={styles.code}>
                  <p>{text.scan}</p>
                  <Suspense>
                    <QrCode text={step.setup.totpURI} label={text.scan} />
                  </Suspense>
                  <p>{text.orType}</p>
                  <code className={styles.key}>{new URL(step.setup.totpURI).searchParams.get('secret')}</code>
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
        )}
        {step.kind === 'codes' && (
          <>
            <p>{text.backupAbout}</p>
            <Secret
              label={text.backupTitle}
              value={step.codes.join('\n')}
              fileName="patio-backup-codes.txt"
            />
            <Actions>
              <Button kind="primary" onPress={close}>
                {text.done}
              </Button>
            </Actions>
          </>
        )}
      </Dialog>
    </Section>
  )
}
