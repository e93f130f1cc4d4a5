import { Button } from '../Button.tsx'
import { useWalletKitState } from '../hooks/useWalletKit.ts'
import { Icon } from '../icons/Icon.tsx'
import { useTranslate } from '../language.ts'
import type { ShownTransaction } from '../parts/Account.tsx'
import * as Account from '../parts/Account.tsx'

const shownCount = 3

const icons = { pending: 'pending', confirmed: 'check', failed: 'close' } as const

/** Shows the latest transactions of the account. */
export function Transactions() {
  const isEmpty = useWalletKitState(({ transactions }) => transactions.length === 0)
  const t = useTranslate()
  return (
    <section className="wk-own">
      <div className="wk-transactions-head wk-own">
        <h3 className="wk-transactions-title wk-own">{t('recentTransactions')}</h3>
        <Account.ClearTransactions render={<Button size="small" />} />
      </div>
      {isEmpty && <p className="wk-transactions-empty wk-own">{t('transactionsEmpty')}</p>}
      <Account.Transactions className="wk-rows wk-own">
        {(transactions) =>
          transactions.slice(0, shownCount).map((transaction) => (
            <li className="wk-transaction wk-own" key={transaction.key} aria-atomic>
              {transaction.href ? (
                <a
                  className="wk-transaction-link wk-own"
                  href={transaction.href}
                  target="_blank"
                  rel="noreferrer"
                  title={transaction.description}
                >
                  <Row transaction={transaction} />
                  <Icon name="external" size={16} />
                </a>
              ) : (
                <Row transaction={transaction} />
              )}
            </li>
          ))
        }
      </Account.Transactions>
    </section>
  )
}

function Row({ transaction: { description, status, statusText, time, spedUp } }: { transaction: ShownTransaction }) {
  return (
    <>
      <i className="wk-transaction-mark wk-own" data-status={status}>
        <Icon name={icons[status]} size={18} />
      </i>
      <p className="wk-transaction-text wk-own">
        <span className="wk-transaction-description wk-own">
          <bdi className="wk-own">{description}</bdi>
        </span>
        <small className="wk-transaction-detail wk-own">
          <b className="wk-transaction-status wk-own" data-status={status}>
            {statusText}
          </b>
          <bdi className="wk-own">{' · '}</bdi>
          <time className="wk-own" dateTime={time.dateTime}>
            {time.text}
          </time>
        </small>
        {spedUp && <small className="wk-transaction-detail wk-own">{spedUp}</small>}
      </p>
    </>
  )
}
