import { useState } from 'react'
import { connectGateway, disconnectGateway, readGatewayAccount } from '#contract/billing/gateway.ts'
import { ConfirmAction } from '../../data/confirm-action.tsx'
import { codeOf, textOfError } from '../../data/errors.ts'
import { useAction, useRead } from '../../data/read.ts'
import { Button } from '../../parts/button.tsx'
import { CopyButton } from '../../parts/copy.tsx'
import { Facts } from '../../parts/facts.tsx'
import { late } from '../../parts/late.tsx'
import { Page, Section } from '../../parts/page.tsx'
import { Empty, Notice, Problem, Skeleton } from '../../parts/states.tsx'
import { Status } from '../../parts/status.tsx'
import { Time } from '../../parts/time.tsx'
import { useLanguage, useWords } from '../../words/words.ts'
import type { Account } from './connect-gateway-dialog.tsx'
import styles from './gateway.module.css'
import { gatewayTexts } from './gateway.words.ts'

const ConnectGatewayDialog = late(() =>
  import('./connect-gateway-dialog.tsx').then(dialog => dialog.ConnectGatewayDialog),
)

const looks = {
  READY: { icon: 'done', kind: 'done' },
  PENDING: { icon: 'clock', kind: 'warn' },
  DISABLED: { icon: 'dashed', kind: 'quiet' },
} as const

/** The account that collects payments by card (GTW-1). Its secrets are written and never shown. */
export function Gateway() {
  const text = useWords(gatewayTexts)
  const language = useLanguage()
  const [isConnecting, setConnecting] = useState(false)
  const { data, error } = useRead(readGatewayAccount, undefined, { staleMs: 0 })
  const isMissing = codeOf(error) === 'GATEWAY_ACCOUNT_NOT_FOUND'
  // the former account stays in the cache after the gateway was disconnected
  const account = isMissing || data?.status === 'DISABLED' ? undefined : data
  const connect = () => setConnecting(true)
  return (
    <Page title={text.title}>
      {account?.isTest && (
        <p className={styles.test}>
          <Status icon="errors" kind="warn">
            {text.testMode}
          </Status>
        </p>
      )}
      {!data && !error && <Skeleton label={text.reading} />}
      {error && !isMissing && <Problem title={textOfError(error, language)} />}
      {account && <AccountSection account={account} onChange={connect} />}
      {!account && (data || isMissing) && (
        <Empty
          title={text.none}
          action={
            <Button kind="primary" onPress={connect} onHoverStart={ConnectGatewayDialog.preload}>
              {text.connect}
            </Button>
          }
        >
          {text.noneAbout}
        </Empty>
      )}
      {isConnecting && <ConnectGatewayDialog account={account} onClose={() => setConnecting(false)} />}
    </Page>
  )
}

function AccountSection({ account, onChange }: { account: Account; onChange: () => void }) {
  const text = useWords(gatewayTexts)
  const [isDisconnecting, setDisconnecting] = useState(false)
  const check = useAction(connectGateway, { refreshes: [readGatewayAccount] })
  const { adapter, status, currencies, publishableKey, hasWebhookSecret, noticesUrl } = account
  return (
    <Section
      title={text.account}
      about={text.accountAbout}
      actions={
        <Button
          icon="retry"
          isBusy={check.isPending}
          onPress={() =>
            check.mutate(
              { body: { adapter } },
              {
                toast: ({ status: now }) =>
                  now === 'READY' ? text.checkedReady : { kind: 'info', text: text.checkedPending },
                toastsFailure: true,
              },
            )
          }
        >
          {text.check}
        </Button>
      }
    >
      {status === 'PENDING' && (
        <div className={styles.note}>
          <Notice kind="warn">{text.pendingAbout}</Notice>
        </div>
      )}
      {adapter === 'stripe' && !hasWebhookSecret && (
        <div className={styles.note}>
          <Notice kind="warn">{text.noWebhookSecretAbout}</Notice>
        </div>
      )}
      <Facts
        facts={[
          { term: text.gateway, value: text[adapter] },
          { term: text.status, value: <Status {...looks[status]}>{text[status]}</Status> },
          { term: text.currencies, value: currencies.map(code => code.toUpperCase()).join(', ') },
          ...(adapter === 'stripe'
            ? [
                { term: text.secretKey, value: text.stored },
                { term: text.publishableKey, value: publishableKey ?? text.noWebhookSecret },
                {
                  term: text.webhookSecret,
                  value: hasWebhookSecret ? text.stored : text.noWebhookSecret,
                },
                {
                  term: text.noticesUrl,
                  value: (
                    <>
                      <code className={styles.code}>{noticesUrl}</code>{' '}
                      <CopyButton text={noticesUrl} label={text.copyUrl} />
                    </>
                  ),
                },
              ]
            : []),
          { term: text.connectedAt, value: <Time value={account.createdAt} form="moment" /> },
          { term: text.checkedAt, value: <Time value={account.updatedAt} form="moment" /> },
        ]}
      />
      <div className={styles.actions}>
        <Button onPress={onChange}>{adapter === 'stripe' ? text.change : text.changeGateway}</Button>
        <Button kind="danger" onPress={() => setDisconnecting(true)}>
          {text.disconnect}
        </Button>
      </div>
      {isDisconnecting && <DisconnectDialog account={account} onClose={() => setDisconnecting(false)} />}
    </Section>
  )
}

function DisconnectDialog({ account, onClose }: { account: Account; onClose: () => void }) {
  const text = useWords(gatewayTexts)
  const name = text[account.adapter]
  return (
    <ConfirmAction
      operation={disconnectGateway}
      input={{}}
      refreshes={[readGatewayAccount]}
      title={text.disconnectQuestion(name)}
      action={text.disconnectAction(name)}
      isDangerous
      onClose={onClose}
      toast={() => text.disconnected(name)}
    >
      {text.disconnectAbout}
    </ConfirmAction>
  )
}
