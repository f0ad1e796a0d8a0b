import type { UserDeploymentNotificationsCustomOut } from '../../../../../infra/client/package/src/index.ts';
import { When } from '../../ui/figures.tsx';
import { Tag } from '../../ui/notice.tsx';
import { severityText, wayOf } from './view.ts';

/** One notification. */
export const NotificationEntry = ({ note }: { readonly note: UserDeploymentNotificationsCustomOut }) => {
  const {
    title,
    body,
    kind: event,
    severity,
    is_read: isRead,
    created_at: at,
    symbol,
    deployment_id: id,
  } = note;
  const { kind, text } = severityText(severity);
  const way = wayOf(event);
  return (
    <li class={isRead ? 'notification' : 'notification notification-new'}>
      <div class="row">
        <Tag kind={kind}>{text}</Tag>
        {!isRead && <Tag>New</Tag>}
        <When at={at} />
        {symbol !== null && <span>{symbol}</span>}
      </div>
      <h2 class="notification-title">{title}</h2>
      {body !== '' && <p>{body}</p>}
      {way && (
        <a class="notification-link" href={way.href}>
          {way.label}
        </a>
      )}
      {id !== null && (
        <a class="notification-link" href={`#/deployments/${id}`}>
          See the deployment<span class="unseen"> of: {title}</span>
        </a>
      )}
    </li>
  );
};
