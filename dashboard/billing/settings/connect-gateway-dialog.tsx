import { useState } from 'react'
import { connectGateway, readGatewayAccount } from '#contract/billing/gateway.ts'
import type { Reply } from '#contract/route.ts'
import { ActionForm, fieldOf } from '../../data/action-form.tsx'
import { codeOf } from '../../data/errors.ts'
import { useAction } from '../../data/read.ts'
import { Dialog } from '../../parts/dialog.tsx'
import { TextField } from '../../parts/field.tsx'
import { FormActions } from '../../parts/form-actions.tsx'
import { RadioGroup } from '../../parts/radio-group.tsx'
import { Notice } from '../../parts/states.tsx'
import { showToast } from '../../parts/toasts.tsx'
import { useWords } from '../../words/words.ts'
import { gatewayTexts } from './gateway.words.ts'

export type Account = Reply<typeof readGatewayAccount>
const keyNames = ['secretKey', 'publishableKey', 'webhookSecret'] as const

/** Connects an account, or changes its keys: a key that is left empty keeps its value (GTW-2). */
export function ConnectGatewayDialog({
  account,
  onClose,
}: {
  /** The connected account. */
  account: Account | undefined
  onClose: () => void
}) {
  const text = useWords(gatewayTexts)
  const [adapter, setAdapter] = useState<Account['adapter']>(account?.adapter ?? 'stripe')
  const connect = useAction(connectGateway, { refreshes: [readGatewayAccount] })
  const isSame = account?.adapter === adapter
  const hints = {
    secretKey: text.secretHint,
    publishableKey: text.publishableHint,
    webhookSecret: text.webhookHint,
  }
  return (
    <Dialog
      title={account?.adapter === 'stripe' ? text.changeTitle : text.connectTitle}
      isOpen
      onClose={onClose}
    >
      <ActionForm
        onSubmit={async values => {
          const typed = keyNames.flatMap(name => {
            const key = adapter === 'stripe' ? values[name]?.trim() : undefined
            return key ? [[name, key] as const] : []
          })
          await connect.mutateAsync({ body: { adapter, ...Object.fromEntries(typed) } })
          showToast({ text: text.connected(text[adapter]) })
          onClose()
        }}
        showError={error => {
          const code = codeOf(error)
          if (code === 'GATEWAY_NOT_REACHED') return <Notice kind="warn">{text.notReached}</Notice>
          return code === 'GATEWAY_REFUSED' ? <Notice kind="danger">{text.refused}</Notice> : undefined
        }}
      >
        {({ isBusy }) => (
          <>
            <RadioGroup
              label={text.gateway}
              value={adapter}
              onChange={setAdapter}
              options={[
                { value: 'stripe', label: text.stripe, hint: text.stripeHint },
                { value: 'sandbox', label: text.sandbox, hint: text.sandboxHint },
              ]}
            />
            {adapter === 'stripe' &&
              keyNames.map(name => (
                <TextField
                  key={name}
                  {...fieldOf(connectGateway, name)}
                  label={text[name]}
                  hint={isSame ? `${hints[name]} ${text.keep}` : hints[name]}
                  isRequired={name === 'secretKey' && !isSame}
                  type={name === 'publishableKey' ? 'text' : 'password'}
                  autoComplete="off"
                  spellCheck="false"
                />
              ))}
            {account && <Notice>{text.otherAccount}</Notice>}
            <FormActions
              onLeave={onClose}
              action={isSame ? text.submitChange : text.submit(text[adapter])}
              isBusy={isBusy}
            />
          </>
        )}
      </ActionForm>
    </Dialog>
  )
}
