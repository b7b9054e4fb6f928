import { type Issuer, readIssuer, updateIssuer } from '#contract/crm/issuer.ts'
import { ActionForm } from '../../data/action-form.tsx'
import type { useDraft } from '../../data/drafts.ts'
import { useAction } from '../../data/read.ts'
import { Button } from '../../parts/button.tsx'
import { TextField } from '../../parts/field.tsx'
import { Section } from '../../parts/page.tsx'
import { showToast } from '../../parts/toasts.tsx'
import { useWords } from '../../words/words.ts'
import { CountryField } from '../country-field.tsx'
import { CurrencyField } from '../currency-field.tsx'
import { StoredDraftNotice, useDraftFields } from '../draft-fields.tsx'
import styles from '../forms.module.css'
import { issuerTexts } from './settings.words.ts'

/** Sets the issuer as a whole. Input that was not sent comes back when the page opens again. */
export function IssuerForm({
  issuer,
  draft,
}: {
  issuer: Issuer | null
  draft: ReturnType<typeof useDraft<typeof updateIssuer>>
}) {
  const text = useWords(issuerTexts)
  const update = useAction(updateIssuer, { refreshes: [readIssuer] })
  const { field, initialOf, keep, formKey, storedAt, discard } = useDraftFields(
    draft,
    updateIssuer,
    issuer ?? undefined,
  )

  async function send(values: Readonly<Record<string, string>>): Promise<void> {
    const textOf = (name: string) => (values[name] ?? '').trim()
    await update.mutateAsync({
      body: {
        legalName: textOf('legalName'),
        taxId: textOf('taxId'),
        address: textOf('address'),
        city: textOf('city'),
        postalCode: textOf('postalCode'),
        country: textOf('country'),
        email: textOf('email') || null,
        phone: textOf('phone') || null,
        currency: textOf('currency'),
      },
    })
    draft.clear()
    showToast({ text: text.saved })
  }

  return (
    <ActionForm key={formKey} onSubmit={send} aria-label={text.title}>
      {({ isBusy }) => (
        <div className={styles.fields}>
          <StoredDraftNotice storedAt={storedAt} discard={discard} />
          <div>
            <Section title={text.identity}>
              <div className={styles.pair}>
                <TextField {...field('legalName')} label={text.legalName} />
                <TextField {...field('taxId')} label={text.taxId} spellCheck="false" />
              </div>
            </Section>
            <Section title={text.address}>
              <div className={styles.fields}>
                <TextField {...field('address')} label={text.street} />
                <div className={styles.pair}>
                  <TextField {...field('postalCode')} label={text.postalCode} />
                  <TextField {...field('city')} label={text.city} />
                </div>
                <CountryField
                  label={text.country}
                  name="country"
                  defaultValue={initialOf('country')}
                  onChange={code => keep('country', code)}
                  isRequired
                />
              </div>
            </Section>
            <Section title={text.reach}>
              <div className={styles.fields}>
                <div className={styles.pair}>
                  <TextField {...field('email')} label={text.email} hint={text.emailHint} />
                  <TextField {...field('phone')} label={text.phone} />
                </div>
                <CurrencyField
                  label={text.currency}
                  hint={text.currencyHint}
                  name="currency"
                  defaultValue={initialOf('currency') || 'eur'}
                  onChange={code => keep('currency', code)}
                />
              </div>
            </Section>
          </div>
          <div>
            <Button type="submit" kind="primary" isBusy={isBusy}>
              {text.save}
            </Button>
          </div>
        </div>
      )}
    </ActionForm>
  )
}
