// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

// The smallest contracts that bind in the ways of the families in use. Each answers who a member's referrer is.

abstract contract Token {
    event Transfer(address indexed from, address indexed to, uint256 value);

    function transfer(address to, uint256 value) external {
        onTransfer(msg.sender, to);
        emit Transfer(msg.sender, to, value);
    }

    function onTransfer(address from, address to) internal virtual;
}

/// @title A transfer there and one back bind the first sender as the referrer of the other
contract TwoWay is Token {
    mapping(address member => address referrer) public inviter;
    mapping(address member => mapping(address sender => bool)) private pending;

    function onTransfer(address from, address to) internal override {
        if (pending[from][to] && inviter[from] == address(0) && !isAbove(from, to)) inviter[from] = to;
        pending[to][from] = true;
    }

    function isAbove(address member, address below) private view returns (bool) {
        for (; below != address(0); below = inviter[below]) if (below == member) return true;
        return false;
    }
}

/// @title The first receipt binds, if the sender is bound or the owner
contract FirstReceipt is Token {
    mapping(address member => address referrer) public inviter;
    address private immutable owner = msg.sender;

    function onTransfer(address from, address to) internal override {
        if (inviter[to] != address(0) || to == owner || from == to) return;
        if (from == owner || inviter[from] != address(0)) inviter[to] = from;
    }
}

abstract contract Tree {
    address internal immutable owner = msg.sender;
    mapping(address member => address) internal above;

    function isFree(address member, address referrer) internal view returns (bool) {
        for (; referrer != address(0); referrer = above[referrer]) if (referrer == member) return false;
        return true;
    }
}

/// @title Each purchase may move the member, and no log names the referrer
contract SilentMove is Tree {
    event Bought(address indexed user, uint256 amount);

    function parentOf(address member) external view returns (address) {
        return above[member];
    }

    function buy(address referrer) external {
        if (isFree(msg.sender, referrer)) above[msg.sender] = referrer;
        emit Bought(msg.sender, 1);
    }

    /// @notice Moves the caller's referrer up by one, without a log.
    function climb() external {
        above[msg.sender] = above[above[msg.sender]];
    }
}

/// @title The event is emitted even if the bind is refused: for the second one, and for members with a downline
contract RefusedBind is Tree {
    event BindInvitor(address indexed user, address indexed invitor);

    mapping(address member => uint256) private directs;

    function invitor(address member) external view returns (address) {
        return above[member];
    }

    function bind(address referrer) external {
        if (above[msg.sender] == address(0) && directs[msg.sender] == 0 && referrer != msg.sender) {
            above[msg.sender] = referrer;
            ++directs[referrer];
        }
        emit BindInvitor(msg.sender, referrer);
    }
}

/// @title A deposit binds, and pays three levels above, each with an event
contract RewardLevels is Tree {
    event RefBonus(address indexed referrer, address indexed referral, uint256 indexed level, uint256 amount);

    function getUserReferrer(address member) external view returns (address) {
        return above[member];
    }

    function deposit(address referrer) external {
        if (above[msg.sender] == address(0) && isFree(msg.sender, referrer)) above[msg.sender] = referrer;
        address upline = above[msg.sender];
        for (uint256 level = 0; level < 3 && upline != address(0); ++level) {
            emit RefBonus(upline, msg.sender, level, 1);
            upline = above[upline];
        }
    }
}

/// @title The event names the member only, and the referrer is in a struct
contract StructView is Tree {
    struct User {
        uint256 id;
        address upline;
        uint256 joinedAt;
    }

    event Joined(address user);

    mapping(address member => User) public users;
    uint256 private count;

    function join(address referrer) external {
        if (users[msg.sender].id == 0 && isFree(msg.sender, referrer)) {
            users[msg.sender] = User(++count, referrer, block.timestamp);
            above[msg.sender] = referrer;
        }
        emit Joined(msg.sender);
    }
}

/// @title Members have numbers, and the referrer is one of them
contract Numbered {
    event Registered(address[] users);

    mapping(address member => uint256) private ids;
    mapping(uint256 id => address) public userOf;
    mapping(uint256 id => uint256) private above;
    uint256 private count;

    function parentIdOf(address member) external view returns (uint256) {
        require(ids[member] != 0, "not registered");
        return above[ids[member]];
    }

    function register(uint256 parent) external {
        if (ids[msg.sender] == 0) {
            ids[msg.sender] = ++count;
            userOf[count] = msg.sender;
            if (parent < count) above[count] = parent;
        }
        address[] memory users = new address[](1);
        users[0] = msg.sender;
        emit Registered(users);
    }
}

/// @title No view answers: the referrer is in a private mapping
contract PrivateSlot is Token {
    uint256 private total = 1;
    mapping(address member => address referrer) private inviters;

    function onTransfer(address from, address to) internal override {
        ++total;
        if (inviters[to] == address(0) && from < to) inviters[to] = from;
    }
}

/// @title No log at all
contract NoLog is Tree {
    function getReferrer(address member) external view returns (address) {
        return above[member];
    }

    function register(address referrer) external {
        if (above[msg.sender] == address(0) && isFree(msg.sender, referrer)) above[msg.sender] = referrer;
    }
}

/// @title Members bind with an event; an administrator moves, swaps and removes them without one
contract Administered is Tree {
    event Bound(address indexed user, address indexed referrer);

    function referrers(address member) external view returns (address) {
        return above[member];
    }

    function bind(address referrer) external {
        require(above[msg.sender] == address(0) && isFree(msg.sender, referrer), "refused");
        above[msg.sender] = referrer;
        emit Bound(msg.sender, referrer);
    }

    function move(address member, address to) external {
        if (above[member] != address(0) && isFree(member, to)) above[member] = to;
    }

    /// @notice Lets a member and its referrer change places.
    function swap(address member) external {
        address referrer = above[member];
        if (referrer == address(0)) return;
        above[member] = above[referrer];
        above[referrer] = member;
    }
}

/// @title Answers as wrongly as a view can, in a way that its maker chooses
contract Hostile is Tree {
    event Joined(address user);

    string private kind;

    constructor(string memory chosen) {
        kind = chosen;
    }

    function join(address referrer) external {
        if (above[msg.sender] == address(0) && isFree(msg.sender, referrer)) above[msg.sender] = referrer;
        emit Joined(msg.sender);
    }

    function referrerOf(address member) external view returns (address) {
        address referrer = above[member];
        if (isKind("reverts")) revert("no");
        if (isKind("loops")) while (true) referrer = above[referrer];
        if (isKind("garbage")) returnWord(uint256(keccak256(abi.encode(member))));
        if (isKind("cycles")) return address(uint160(member) ^ 1);
        if (isKind("owner")) return referrer == address(0) ? owner : referrer;
        if (isKind("clock")) return address(uint160(uint256(keccak256(abi.encode(block.timestamp, member)))));
        if (isKind("gas")) return address(uint160(uint256(keccak256(abi.encode(gasleft(), member)))));
        if (isKind("huge")) assembly { return(0, 2000000) }
        return referrer;
    }

    function isKind(string memory name) private view returns (bool) {
        return keccak256(bytes(kind)) == keccak256(bytes(name));
    }

    function returnWord(uint256 word) private pure {
        assembly {
            mstore(0, word)
            return(0, 32)
        }
    }
}
