"""What people are written about their accounts, each as a subject and a text, in the language of
whoever is answered."""

from skerry.server.languages.choice import pgettext

Words = tuple[str, str]


def write_confirmation(name: str, site: str, link: str) -> Words:
    """For an address that somebody has given, who may be anybody."""
    text = pgettext(
        "a mail",
        """Hello {name},

somebody, you we hope, wants mail from {site} to come here. If so, open this page:

{link}

The link works for a day. If it was not you, do nothing, and nothing more will come.
""",
    )
    subject = pgettext("a mail", "Confirm your mail address")
    return subject, text.format(name=name, site=site, link=link)


def write_farewell(name: str, site: str) -> Words:
    """For an address that another has taken the place of."""
    text = pgettext(
        "a mail",
        """Hello {name},

your account on {site} has another mail address from now on, and mail comes here no more.
If it was not you, ask whoever runs the server.
""",
    )
    return pgettext("a mail", "Another mail address"), text.format(name=name, site=site)


def write_recovery(name: str, site: str, link: str) -> Words:
    """For whoever has forgotten a password."""
    text = pgettext(
        "a mail",
        """Hello {name},

somebody, you we hope, has forgotten the password of your account on {site}. Open this page to
choose another one:

{link}

The link works once, and for an hour. If it was not you, do nothing: nobody else has this link.
""",
    )
    return pgettext("a mail", "Choose a new password"), text.format(name=name, site=site, link=link)
